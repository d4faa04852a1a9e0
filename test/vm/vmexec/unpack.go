package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// unpack writes the kernel inside the boot image at path in as the plain ELF
// file out. Such a kernel starts in less than half of the time, for the guest
// does not unpack it with emulated instructions at every boot.
func unpack(in, out string) error {
	image, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	packed, size, err := payload(image)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	kernel, err := decompress(packed)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	if len(kernel) != int(size) || string(kernel[:4]) != "\x7fELF" {
		return fmt.Errorf("%s: unpacked to %d bytes, want an ELF file of %d bytes; fetch the package again", in, len(kernel), size)
	}
	return os.WriteFile(out, kernel, 0o644)
}

// payload finds the compressed kernel in a boot image and tells its size when
// unpacked [bytes].
//
// The image is a boot sector, setup code and the payload; the numbers are in
// the header that Documentation/arch/x86/boot.rst of the kernel describes. The
// kernel's build appends the unpacked size to what the packer wrote.
func payload(image []byte) (packed []byte, size uint32, err error) {
	const (
		setupSectors  = 0x1f1
		magic         = 0x202
		payloadOffset = 0x248
		payloadLength = 0x24c
		headerEnd     = 0x250
		sector        = 512
	)
	if len(image) < headerEnd || string(image[magic:magic+4]) != "HdrS" {
		return nil, 0, errors.New("not a Linux boot image")
	}
	le := binary.LittleEndian
	start := (uint64(image[setupSectors])+1)*sector + uint64(le.Uint32(image[payloadOffset:]))
	end := start + uint64(le.Uint32(image[payloadLength:]))
	if end > uint64(len(image)) || end < start+4 {
		return nil, 0, errors.New("boot image cut short")
	}
	return image[start : end-4], le.Uint32(image[end-4:]), nil
}
