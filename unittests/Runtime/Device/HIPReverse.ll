; forge_test_reverse for the hip driver: OpenCL C cannot say "the dynamic shared memory of the
; launch", which is an external array of no elements in address space 3.
target triple = "amdgcn-amd-amdhsa"
@dynamic = external addrspace(3) global [0 x i32], align 16

define protected amdgpu_kernel void @forge_test_reverse(ptr addrspace(1) %data) #0 {
  %block = call i32 @llvm.amdgcn.workgroup.id.x()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %sizeAt = getelementptr i8, ptr addrspace(4) %packet, i64 4
  %size16 = load i16, ptr addrspace(4) %sizeAt, align 4
  %size = zext i16 %size16 to i32
  %start = mul i32 %block, %size
  %index = add i32 %start, %thread
  %element = getelementptr i32, ptr addrspace(1) %data, i32 %index
  %value = load i32, ptr addrspace(1) %element, align 4
  %mine = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %thread
  store i32 %value, ptr addrspace(3) %mine, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %fromEnd = sub i32 %size, %thread
  %other = sub i32 %fromEnd, 1
  %theirs = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %other
  %reversed = load i32, ptr addrspace(3) %theirs, align 4
  store i32 %reversed, ptr addrspace(1) %element, align 4
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "amdgpu-flat-work-group-size"="1,1024" }
