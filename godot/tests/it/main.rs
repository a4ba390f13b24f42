//! Tests of the parts that need no engine, on levels that the command baked.

mod chunks;
mod drawings;
mod levels;
mod obstacles;
mod saves;
mod searches;
mod support;
