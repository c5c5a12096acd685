// RUN: spatial-opt %s --tile-spatial --split-input-file | filecheck %s
// RUN: spatial-opt %s --tile-spatial="k=4" --split-input-file | filecheck %s --check-prefix FOUR

// A trip counts tiles, of which a last block may have some that do not count.
spatial.program @p(%A : memref<128x512xbf16>, %B : memref<512x64xbf16>, %n : index,
                   %C : memref<128x64xbf16>)
    target #spatial.target<"wormhole"> template loops [k = ? max 15] {
  %a = spatial.buffer : !spatial.buffer<4x16xbf16>
  %b = spatial.buffer : !spatial.buffer<16x2xbf16>
  %c = spatial.buffer : !spatial.buffer<4x2xbf16>
  spatial.trip k = %n
  spatial.load @load_a %A[0, k * 16] into %a
  spatial.load @load_b %B[k * 16, 0] into %b
  spatial.matmul @product %a, %b into %c
  spatial.store @store_c %c into %C[0, 0]
}
func.func @main(%a : memref<128x512xbf16>, %b : memref<512x64xbf16>, %n : index,
                %c : memref<128x64xbf16>) {
  spatial.launch @p(%a, %b, %n, %c)
      : (memref<128x512xbf16>, memref<512x64xbf16>, index, memref<128x64xbf16>) -> ()
  spatial.launch @q(%a, %b, %n, %c)
      : (memref<128x512xbf16>, memref<512x64xbf16>, index, memref<128x64xbf16>) -> ()
  func.return
}
// Tiled already.
spatial.program @q(%A : memref<128x512xbf16>, %B : memref<512x64xbf16>, %n : index,
                   %C : memref<128x64xbf16>)
    target #spatial.target<"wormhole"> loops [k = ? max 16] {
  %a = spatial.buffer : !spatial.buffer<4x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer : !spatial.buffer<4x2xbf16>
  spatial.trip k = %n
  spatial.load @load_a %A[0, k] into %a
  spatial.load @load_b %B[k, 0] into %b
  spatial.matmul @product %a, %b into %c
  spatial.store @store_c %c into %C[0, 0]
}

//      CHECK: @p({{.*}} loops [{{.*}}k = ? max 15] {
//      CHECK:   spatial.trip k = %n
// CHECK-NEXT:   spatial.load @load_a %A[{{.*}}, k] into %a
// CHECK-NEXT:   spatial.load @load_b %B[k, {{.*}}] into %b
//      CHECK: func.func @main(
// CHECK-NEXT:   spatial.launch @p(%a, %b, %n, %c)

//      FOUR: @p({{.*}} loops [{{.*}}k = ? max 4] {
//      FOUR:   spatial.trip k = %n
// FOUR-NEXT:   spatial.load @load_a %A[{{.*}}, k * 4] into %a
// FOUR-NEXT:   spatial.load @load_b %B[k * 4, {{.*}}] into %b
//      FOUR: func.func @main(
// FOUR-NEXT:   %[[FOUR:.*]] = arith.constant 4 : index
// FOUR-NEXT:   %[[BLOCKS:.*]] = arith.ceildivui %n, %[[FOUR]] : index
// FOUR-NEXT:   spatial.launch @p(%a, %b, %[[BLOCKS]], %c)
// FOUR-NEXT:   spatial.launch @q(%a, %b, %n, %c)

// -----

// A trip that is read belongs to the matrix of an item.
spatial.program @ragged(%A : memref<3x2048x512xbf16>, %B : memref<512x64xbf16>,
                        %Lengths : memref<3x1xi32>, %C : memref<3x2048x64xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 3, k = ? max 3] {
  %a = spatial.buffer : !spatial.buffer<64x3xbf16>
  %b = spatial.buffer : !spatial.buffer<3x2xbf16>
  %c = spatial.buffer : !spatial.buffer<64x2xbf16>
  spatial.trip k = %Lengths[i, 0]
  spatial.load @load_a %A[i, 0, k * 3] into %a
  spatial.load @load_b %B[k * 3, 0] into %b
  spatial.matmul @product %a, %b into %c
  spatial.store @store_c %c into %C[i, 0, 0]
}

//      CHECK: @ragged({{.*}} loops [i = [[ITEMS:[0-9]+]], k = ? max 3] {
//      CHECK:   spatial.trip k = %Lengths[i floordiv [[EACH:[0-9]+]], 0]
// CHECK-NEXT:   spatial.load @load_a %A[i floordiv [[EACH]], {{.*}}, k] into %a
