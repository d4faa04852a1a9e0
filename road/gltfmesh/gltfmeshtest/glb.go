// Package gltfmeshtest makes glTF files for tests.
package gltfmeshtest

import (
	"bytes"
	"encoding/binary"
)

// GLB returns a binary file with a document and a buffer.
func GLB(document string, buffer []byte) []byte {
	text := document + "   "[:-len(document)&3]
	buffer = append(bytes.Clone(buffer), make([]byte, -len(buffer)&3)...)
	b := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(28+len(text)+len(buffer)))
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), "JSON"...)
	b = binary.LittleEndian.AppendUint32(append(b, text...), uint32(len(buffer)))
	return append(append(b, "BIN\x00"...), buffer...)
}
