package opendrive

import (
	"bytes"
	"encoding/xml"
	"errors"
	"strings"
	"unicode/utf8"
)

// decode reads the form of the file.
func (f *form) decode(data []byte, into *rawMap) {
	if len(data) > f.limits.bytes {
		f.fail("%d MB: must be at most %d MB; split the network", len(data)>>20, f.limits.bytes>>20)
		return
	}
	text, ok := f.plain(data)
	if !ok {
		return
	}
	in := &sieve{in: xml.NewDecoder(bytes.NewReader(text)), form: f, open: []*known{readable}}
	err := xml.NewTokenDecoder(in).Decode(into)
	var syntax *xml.SyntaxError
	switch {
	case f.fault != nil: // beyond a limit
	case errors.As(err, &syntax):
		f.fail("line %d: %s: export the file again, or correct it", syntax.Line, clip(syntax.Msg))
	case err != nil:
		f.fail("%s: must be an XML file whose root is <OpenDRIVE>", clip(err.Error()))
	}
}

// plain returns the file's text in UTF-8, the XML declaration blanked out: its
// encoding is dealt with here.
func (f *form) plain(data []byte) ([]byte, bool) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		f.fail("text in UTF-16: save it as UTF-8")
		return nil, false
	}
	encoding := ""
	if end := bytes.Index(data, []byte("?>")); end >= 0 && bytes.HasPrefix(data, []byte("<?xml")) {
		encoding = declared(string(data[:end]))
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
		return widened(data), true
	}
	f.fail("encoding %q is not known: save the file as UTF-8", clip(encoding))
	return nil, false
}

// declared returns the encoding that an XML declaration names, in small letters.
func declared(declaration string) string {
	_, after, found := strings.Cut(declaration, "encoding")
	after = strings.TrimLeft(after, " \t\r\n=")
	if !found || after == "" {
		return ""
	}
	quote := after[:1]
	name, _, _ := strings.Cut(after[1:], quote)
	return strings.ToLower(name)
}

// widened turns a text of one byte a character into UTF-8. The few characters
// in which the encodings differ stand only in names.
func widened(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for _, b := range data {
		out = utf8.AppendRune(out, rune(b))
	}
	return out
}
