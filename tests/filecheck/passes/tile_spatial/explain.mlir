// RUN: spatial-opt %s --tile-spatial="grid=2x2 explain=true" 2>&1 >/dev/null | filecheck %s --match-full-lines
// RUN: spatial-opt %s --explain --tile-spatial="grid=2x2" 2>&1 >/dev/null | filecheck %s --match-full-lines

spatial.program @matmul(%A : memref<512x2048xbf16>, %B : memref<2048x512xbf16>,
                        %C : memref<512x512xbf16>)
    target #spatial.target<"wormhole" {local_bytes = 700000}> {
  %a = spatial.buffer : !spatial.buffer<16x64xbf16>
  %b = spatial.buffer : !spatial.buffer<64x16xbf16>
  %c = spatial.buffer : !spatial.buffer<16x16xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

//      CHECK: {{.*}}explain.mlir:4:1: remark: 'spatial.program' op @matmul is cut into %a {{[0-9x]+}}, %b {{[0-9x]+}}, %c {{[0-9x]+}}, loops [{{.*}}]{{.*}}: the best of {{[0-9]+}} that fit, of {{[0-9]+}}, for 2x2 sites
// CHECK-NEXT:   predicted: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM, {{[0-9]+}} bytes of local memory; an item takes {{[0-9]+}} on compute, {{[0-9]+}} on move 0, {{[0-9]+}} on move 1
// CHECK-NEXT:   not taken: %a {{[0-9x]+}}, %b {{[0-9x]+}}, %c {{[0-9x]+}}, loops [{{.*}}]{{.*}}: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   not taken: {{.*}}
// CHECK-NEXT:   not taken: {{.*}}
// CHECK-NEXT:   no memory: %a {{[0-9x]+}}, %b {{[0-9x]+}}, %c {{[0-9x]+}}, loops [{{.*}}]{{.*}}: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM, but {{[0-9]+}} bytes of 596576
