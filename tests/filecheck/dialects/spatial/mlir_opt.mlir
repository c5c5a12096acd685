// RUN: spatial-opt %S/ops.mlir --split-input-file --print-op-generic 2>/dev/null | %mlir-opt --allow-unregistered-dialect --split-input-file | filecheck %s
// REQUIRES: mlir-opt

// CHECK: sites = #spatial<sites [0:2, 0:8] + [6, 3]>
// CHECK: "spatial.program"() <{sym_name = "template"}> ({
// CHECK: "spatial.program"() <{grid = array<i64: 4, 4>, loops = #spatial<loops [k = 2, h = 2]>, sym_name = "multicast", target = #spatial.target<"blackhole" {ordering = "ordered"}>}> ({
// CHECK: "spatial.matmul"
