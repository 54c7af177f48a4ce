//! `xtask IN.wasm OUT_DIR NAME`: writes `NAME.js`, `NAME.d.ts` and `NAME_bg.wasm` for use as an ES module in a browser.
//!
//! This is what `wasm-bindgen --target web` does. Building the library it is made of takes a fifth of the time of
//! `cargo install wasm-bindgen-cli`, and the workspace's lock file pins it to the version the module was built with.

use anyhow::{bail, Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, out_dir, name] = args.as_slice() else {
        bail!("usage: xtask IN.wasm OUT_DIR NAME");
    };
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(true)
        // Keeps `new URL('NAME_bg.wasm', import.meta.url)`, by which the bundler finds the module.
        .omit_default_module_path(false)
        .remove_producers_section(true)
        // An eighth of the module: a panic's message has its file and line without them.
        .remove_name_section(true)
        .out_name(name)
        .generate(out_dir)
        .with_context(|| format!("bindings of {input}"))
}
