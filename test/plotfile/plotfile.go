// Package plotfile reads plots that a test has written to a file. It is used by tests only.
package plotfile

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// WriteAndRead calls write with the path of a new file of this name, and returns what write has written to it.
func WriteAndRead(t *testing.T, name string, write func(path string) error) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := write(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Texts returns the texts in an SVG picture, one per line. The test fails if the picture is not valid XML.
func Texts(t *testing.T, svg []byte) string {
	t.Helper()
	var all strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			all.Write(text)
			all.WriteByte('\n')
		}
	}
}
