package scan

import "bytes"

// lineReader reads a text line by line; a line that ends in a backslash is joined to the next.
type lineReader struct {
	rest   []byte
	number int    // number of the current line, from 1; if lines were joined, that of the first
	count  int    // number of lines read so far
	joined []byte // buffer for joined lines
}

// newLineReader returns a reader of data. It skips a byte order mark.
func newLineReader(data []byte) lineReader {
	return lineReader{rest: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
}

// next returns the next line without its end, valid until the next call, and false at the end of the text.
func (l *lineReader) next() ([]byte, bool) {
	if len(l.rest) == 0 {
		return nil, false
	}
	line := l.cutLine()
	l.number = l.count
	if !bytes.HasSuffix(line, []byte{'\\'}) {
		return line, true
	}
	l.joined = l.joined[:0]
	for bytes.HasSuffix(line, []byte{'\\'}) {
		l.joined = append(append(l.joined, line[:len(line)-1]...), ' ')
		line = nil
		if len(l.rest) > 0 {
			line = l.cutLine()
		}
	}
	l.joined = append(l.joined, line...)
	return l.joined, true
}

// cutLine removes one line from the rest and returns it without its line end.
func (l *lineReader) cutLine() []byte {
	line, rest, _ := bytes.Cut(l.rest, []byte{'\n'})
	l.rest = rest
	l.count++
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// cutWord returns the first word of text and the rest after it. The word is empty if text has none.
func cutWord(text []byte) (first, rest []byte) {
	for len(text) > 0 && isBlank(text[0]) {
		text = text[1:]
	}
	for i, c := range text {
		if isBlank(c) {
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// isBlank reports whether c separates words.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }
