package opendrive

import (
	"bytes"
	"encoding/xml"
	"errors"
	"strings"
	"unicode/utf8"

	"rig.example/rig/internal/kit/printable"
)

// decode decodes the XML of the file into the raw types.
func (f *reader) decode(data []byte, into *rawMap) {
	if len(data) > f.limits.bytes {
		f.fail("%d MB: must be at most %d MB; split the network", len(data)>>20, f.limits.bytes>>20)
		return
	}
	text, ok := f.utf8Text(data)
	if !ok {
		return
	}
	in := &elementFilter{decoder: xml.NewDecoder(bytes.NewReader(text)), reader: f, enclosing: []*elementType{documentType}}
	err := xml.NewTokenDecoder(in).Decode(into)
	var syntax *xml.SyntaxError
	switch {
	case f.fault != nil: // the filter has found that a limit is exceeded
	case errors.As(err, &syntax):
		f.fail("line %d: %s: export the file again, or correct it", syntax.Line, printable.Excerpt(syntax.Msg))
	case err != nil:
		f.fail("%s: must be an XML file whose root is <OpenDRIVE>", printable.Excerpt(err.Error()))
	}
}

// utf8Text returns the file's text in UTF-8. It blanks out the XML declaration, because the encoding is
// handled here.
func (f *reader) utf8Text(data []byte) ([]byte, bool) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		f.fail("text in UTF-16: save it as UTF-8")
		return nil, false
	}
	encoding := ""
	if end := bytes.Index(data, []byte("?>")); end >= 0 && bytes.HasPrefix(data, []byte("<?xml")) {
		encoding = declaredEncoding(string(data[:end]))
		blank := bytes.Repeat([]byte(" "), end+2)
		for i := range blank {
			if data[i] == '\n' {
				blank[i] = '\n'
			}
		}
		data = append(blank, data[end+2:]...)
	}
	switch encoding {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return data, true
	case "iso-8859-1", "latin1", "iso-8859-15", "windows-1252":
		return fromLatin1(data), true
	}
	f.fail("encoding %q: must be UTF-8, ISO 8859-1 or -15, or Windows-1252; save the file as UTF-8", printable.Excerpt(encoding))
	return nil, false
}

// declaredEncoding returns the encoding in an XML declaration, in lower case.
func declaredEncoding(declaration string) string {
	_, after, found := strings.Cut(declaration, "encoding")
	after = strings.TrimLeft(after, " \t\r\n=")
	if !found || after == "" {
		return ""
	}
	quote := after[:1]
	name, _, _ := strings.Cut(after[1:], quote)
	return strings.ToLower(name)
}

// fromLatin1 converts text of one byte per character to UTF-8. The few characters in which the encodings
// differ occur only in names.
func fromLatin1(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for _, b := range data {
		out = utf8.AppendRune(out, rune(b))
	}
	return out
}
