// SPDX-License-Identifier: MIT
//! For Cargo: makes sys.rs from the headers, and finds the library with pkg-config.

use std::process::{exit, Command};

fn output_of(program: &str, arguments: &[&str]) -> String {
    match Command::new(program).args(arguments).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => failed(&format!("{program}: {}", String::from_utf8_lossy(&output.stderr))),
        Err(problem) => failed(&format!("{program}: {problem}")),
    }
}

fn failed(why: &str) -> ! {
    eprintln!("{why}");
    eprintln!("This crate needs libvcsched and libvcemu, installed without -Dtools=false, pkg-config and python3.");
    eprintln!("If they are in a folder of their own, PKG_CONFIG_PATH must name its lib/pkgconfig.");
    exit(1)
}

fn main() {
    let folder = std::env::var("OUT_DIR").unwrap_or_else(|_| failed("OUT_DIR is not set"));
    let (sys, safe) = (format!("{folder}/sys.rs"), format!("{folder}/safe.rs"));
    output_of("pkg-config", &["--print-errors", "--exists", "vcsched", "vcemu"]);
    let headers = output_of("pkg-config", &["--variable=includedir", "vcsched"]);
    output_of("python3", &["generate/generate.py", headers.trim(), &sys, &safe]);
    for word in output_of("pkg-config", &["--libs", "vcemu"]).split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(library) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={library}");
        }
    }
    println!("cargo:rerun-if-changed=generate");
    println!("cargo:rerun-if-changed={}/vcsched", headers.trim());
    println!("cargo:rerun-if-changed={}/vcemu", headers.trim());
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
}
