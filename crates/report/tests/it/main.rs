//! Tests of navbake-report through its public interface.

mod ledges;
mod live;
mod rules;
mod schema;
mod strips;
mod support;
mod tell;
mod why;
mod why_props;
