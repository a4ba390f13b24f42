//! Tests of navbake-report through its public interface.

mod cut_off;
mod ledges;
mod live;
mod rules;
mod schema;
mod strips;
mod support;
mod tell;
mod why;
mod why_doors;
mod why_props;
