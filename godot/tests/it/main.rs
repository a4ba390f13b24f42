//! Tests of the parts that need no engine, on levels that the command baked.

mod chunks;
mod drawings;
mod levels;
mod obstacles;
mod searches;
mod support;
