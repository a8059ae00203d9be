//! Runs a compiled model through forge/C/Model.h: run_model MODEL.so NUMBER...
//! The numbers are its one argument, a vector of f32; its results are printed.
//!
//!     rustc --edition 2021 -L build/lib examples/rust/run_model.rs
//!     LD_LIBRARY_PATH=build/lib ./run_model ./model.so 1 2 3
use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr::{null, null_mut};

/// struct forge_tensor of forge/C/Tensor.h.
#[repr(C)]
struct RawTensor {
    element: *const c_char,
    rank: i64,
    sizes: *const i64,
    data: *mut c_void,
}

#[link(name = "forge-model")]
extern "C" {
    fn forge_error_message(error: *const c_void) -> *const c_char;
    fn forge_error_destroy(error: *mut c_void);
    fn forge_model_load(path: *const c_char, weights: *const c_char, device: i64, model: *mut *mut c_void) -> *mut c_void;
    fn forge_model_destroy(model: *mut c_void);
    fn forge_model_run(model: *mut c_void, inputs: *const RawTensor, count: i64, results: *mut *mut c_void) -> *mut c_void;
    fn forge_results_count(results: *const c_void) -> i64;
    fn forge_results_get(results: *const c_void, index: i64) -> RawTensor;
    fn forge_results_destroy(results: *mut c_void);
}

/// Takes an error of the library.
fn check(error: *mut c_void) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    unsafe {
        let message = CStr::from_ptr(forge_error_message(error)).to_string_lossy().into_owned();
        forge_error_destroy(error);
        Err(message)
    }
}

struct Model(*mut c_void);

impl Model {
    fn load(path: &str) -> Result<Model, String> {
        let path = CString::new(path).map_err(|error| error.to_string())?;
        let mut model = null_mut();
        check(unsafe { forge_model_load(path.as_ptr(), null(), -1, &mut model) })?;
        Ok(Model(model))
    }

    /// Runs on one vector; the results must be of f32.
    fn run(&self, input: &[f32]) -> Result<Vec<Vec<f32>>, String> {
        let sizes = [input.len() as i64];
        // The library only reads inputs.
        let data = input.as_ptr() as *mut c_void;
        let tensor = RawTensor { element: c"f32".as_ptr(), rank: 1, sizes: sizes.as_ptr(), data };
        let mut raw = null_mut();
        check(unsafe { forge_model_run(self.0, &tensor, 1, &mut raw) })?;
        let results = Results(raw);
        (0..unsafe { forge_results_count(results.0) }).map(|index| results.vector(index)).collect()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { forge_model_destroy(self.0) }
    }
}

struct Results(*mut c_void);

impl Results {
    /// A copy of the elements.
    fn vector(&self, index: i64) -> Result<Vec<f32>, String> {
        unsafe {
            let tensor = forge_results_get(self.0, index);
            if CStr::from_ptr(tensor.element) != c"f32" {
                return Err(format!("result {index}: expected f32, but got {:?}", CStr::from_ptr(tensor.element)));
            }
            let count: i64 = (0..tensor.rank).map(|dim| *tensor.sizes.add(dim as usize)).product();
            let data = tensor.data as *const f32;
            Ok((0..count as usize).map(|i| *data.add(i)).collect())
        }
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        unsafe { forge_results_destroy(self.0) }
    }
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: run_model MODEL.so NUMBER...")?;
    let input: Result<Vec<f32>, _> = arguments.map(|text| text.parse()).collect();
    let input = input.map_err(|_| "expected numbers after the model")?;
    for result in Model::load(&path)?.run(&input)? {
        println!("{result:?}");
    }
    Ok(())
}

fn main() {
    if let Err(message) = run() {
        eprintln!("{message}");
        std::process::exit(1);
    }
}
