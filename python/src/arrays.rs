//! Points in and out: numpy arrays of shape (n, 3).

use std::time::{Duration, Instant};

use numpy::{
    AllowTypeChange, Element, PyArray1, PyArray2, PyArray3, PyArrayLikeDyn, PyArrayMethods,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Rows between two looks at the clock.
const ROWS: usize = 256;

/// Copies rows of three numbers: an array of shape (n, 3), or one point of shape (3,).
///
/// A copy, as other threads may write to the array while a query runs.
pub(crate) fn points(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; 3]>> {
    rows(given, name, "numbers x, y, z")
}

/// The same for points seen from above: shape (n, 2) or (2,).
pub(crate) fn flat_points(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; 2]>> {
    rows(given, name, "numbers x, z")
}

/// Copies triangles: an array of shape (n, 3).
pub(crate) fn triangles(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[u32; 3]>> {
    let rows: Vec<[i64; 3]> = rows(given, name, "indices of vertices")?;
    let index = |n: i64| u32::try_from(n).map_err(|_| n);
    let row = |(k, [a, b, c]): (usize, [i64; 3])| {
        let row = [index(a), index(b), index(c)];
        match row {
            [Ok(a), Ok(b), Ok(c)] => Ok([a, b, c]),
            [Err(n), ..] | [_, Err(n), _] | [.., Err(n)] => Err(PyValueError::new_err(format!(
                "{name}[{k}]: {n} is no index of a vertex; indices are 0 to 4294967295"
            ))),
        }
    };
    rows.into_iter().enumerate().map(row).collect()
}

fn rows<T: Element + Copy, const N: usize>(
    given: &Bound<'_, PyAny>,
    name: &str,
    what: &str,
) -> PyResult<Vec<[T; N]>>
where
    for<'a, 'py> Vec<T>: FromPyObject<'a, 'py>,
{
    let array: PyArrayLikeDyn<'_, T, AllowTypeChange> = given.extract().map_err(|error| {
        PyValueError::new_err(format!("{name}: expected an array of {what}: {error}"))
    })?;
    if !matches!(array.shape(), [n] | [_, n] if *n == N) {
        return Err(PyValueError::new_err(format!(
            "{name}: expected shape (n, {N}) of {what}, or ({N},) for one; got {:?}",
            array.shape()
        )));
    }
    // In the order of rows, whatever the order in memory is.
    let flat: Vec<T> = array.as_array().iter().copied().collect();
    Ok(flat.as_chunks().0.to_vec())
}

/// Pairs the rows of two arrays. A single row is paired with each of the other array.
pub(crate) fn pairs(
    (from, from_name): (&Bound<'_, PyAny>, &str),
    (to, to_name): (&Bound<'_, PyAny>, &str),
) -> PyResult<Pairs> {
    let (from, to) = (points(from, from_name)?, points(to, to_name)?);
    let count = match (from.len(), to.len()) {
        (a, b) if a == b => a,
        (1, n) | (n, 1) => n,
        (a, b) => {
            return Err(PyValueError::new_err(format!(
                "{from_name} has {a} rows and {to_name} {b}; give as many, or one"
            )));
        }
    };
    Ok(Pairs { from, to, count })
}

/// Rows of two arrays.
pub(crate) struct Pairs {
    from: Vec<[f64; 3]>,
    to: Vec<[f64; 3]>,
    pub(crate) count: usize,
}

impl Pairs {
    /// All pairs, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ([f64; 3], [f64; 3])> {
        let row = |rows: &[[f64; 3]], k: usize| if rows.len() == 1 { rows[0] } else { rows[k] };
        (0..self.count).map(move |k| (row(&self.from, k), row(&self.to, k)))
    }
}

/// Lets Ctrl-C end a long query.
pub(crate) struct Interrupts {
    rows: usize,
    last: Instant,
}

impl Interrupts {
    pub(crate) fn new() -> Interrupts {
        Interrupts { rows: 0, last: Instant::now() }
    }

    /// To be called once a row, without the lock of the interpreter.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        self.look_after(1)
    }

    /// The same for work as long as that of some rows.
    pub(crate) fn look_after(&mut self, rows: usize) -> PyResult<()> {
        self.rows = self.rows.saturating_add(rows);
        if self.rows < ROWS {
            return Ok(());
        }
        self.rows = 0;
        if self.last.elapsed() < Duration::from_millis(200) {
            return Ok(());
        }
        self.last = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}

/// An array of shape (n,).
pub(crate) fn row<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyArray1<T>> {
    PyArray1::from_vec(py, values).unbind()
}

/// An array of shape (n, N).
pub(crate) fn table<T: Element, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Py<PyArray2<T>>> {
    let shape = [rows.len(), N];
    Ok(PyArray1::from_vec(py, rows.into_flattened()).reshape(shape)?.unbind())
}

/// An array of shape (n, 2, 3).
pub(crate) fn segments(py: Python<'_>, rows: Vec<[[f64; 3]; 2]>) -> PyResult<Py<PyArray3<f64>>> {
    let shape = [rows.len(), 2, 3];
    let flat = rows.into_flattened().into_flattened();
    Ok(PyArray1::from_vec(py, flat).reshape(shape)?.unbind())
}

/// Three numbers.
pub(crate) fn triple(py: Python<'_>, value: [f64; 3]) -> Py<PyArray1<f64>> {
    row(py, value.to_vec())
}
