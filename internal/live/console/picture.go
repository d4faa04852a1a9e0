package console

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// picture is what a terminal shows of a panel. Only the panel's goroutine uses it.
type picture struct {
	color     bool
	shown     []string // block on the screen, with its colors; the cursor is on the line below
	width     int      // columns of its widest line
	tail      []byte   // start of a line that is not on the screen, because the block is
	lineStart bool     // the cursor is at the start of a line; true while a block is shown
	recent    []string // last lines above the block, for drawing all anew
	typed     int      // bytes that were typed and not read
	moved     bool     // the cursor may not be where it was left, because Enter was pressed
}

// maxRecent is how many lines can be drawn anew above the block.
const maxRecent = 100

// forget lets the next block begin where the cursor is, because somebody else has written below the block.
func (p *picture) forget() { p.shown, p.lineStart = nil, true }

// draw returns the bytes that write text above the block and show lines as the block. No lines remove it. The start of a
// line waits for its end while a block is shown, unless last is set.
func (p *picture) draw(text []byte, lines []Line, last bool, columns, rows int) []byte {
	block, width := p.render(lines, columns, rows)
	if len(block) == 0 && len(p.shown) == 0 { // nothing but text
		return p.plain(text)
	}
	text = append(p.tail, text...)
	p.tail = nil
	if end := bytes.LastIndexByte(text, '\n') + 1; !last && len(block) > 0 {
		text, p.tail = text[:end], bytes.Clone(text[end:])
	}
	anew := len(p.shown) > 0 && (p.moved || p.width >= columns || len(p.shown) >= rows)
	p.moved = false
	if len(text) == 0 && !anew && slices.Equal(block, p.shown) {
		return nil
	}
	var b strings.Builder
	switch {
	case anew: // where a terminal that became smaller has put the lines is not known
		b.WriteString("\x1b[2J\x1b[H")
		p.repeatRecent(&b, columns, rows-len(block)-1)
	case len(p.shown) > 0:
		fmt.Fprintf(&b, "\r\x1b[%dA", len(p.shown))
		if len(text) > 0 || len(block) == 0 {
			b.WriteString("\x1b[J")
		}
	case !p.lineStart:
		b.WriteString("\r\n")
	}
	b.Write(terminalLines(text))
	p.remember(text)
	for _, l := range block {
		b.WriteString(l + "\x1b[K\r\n")
	}
	if len(block) < len(p.shown) {
		b.WriteString("\x1b[J")
	}
	p.shown, p.width = block, width
	p.lineStart = len(block) > 0 || len(text) == 0 || text[len(text)-1] == '\n'
	return []byte(b.String())
}

// plain returns text as it is while there is no block.
func (p *picture) plain(text []byte) []byte {
	text = append(p.tail, text...)
	p.tail = nil
	if len(text) == 0 {
		return nil
	}
	p.lineStart = text[len(text)-1] == '\n'
	p.remember(text)
	return terminalLines(text)
}

// render returns the lines as they are written, cut to the terminal's size, and the width of the widest. A line that
// wraps or scrolls could not be overwritten.
func (p *picture) render(lines []Line, columns, rows int) (block []string, width int) {
	for _, l := range lines[:min(len(lines), max(rows-1, 0))] {
		text := Cut(printable.Line(l.Text), columns-1)
		width = max(width, Width(text))
		if p.color {
			text = colored(text, l.Tone)
		}
		block = append(block, text)
	}
	return block, width
}

// terminalLines returns text with line ends that work in every mode of a terminal.
func terminalLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }

// remember keeps the last lines of text.
func (p *picture) remember(text []byte) {
	for line := range bytes.Lines(text) {
		p.recent = append(p.recent, string(bytes.TrimSuffix(line, []byte("\n"))))
	}
	p.recent = slices.Clone(p.recent[max(0, len(p.recent)-maxRecent):])
}

// repeatRecent writes the last lines above the block again, as many as fit into that many rows.
func (p *picture) repeatRecent(b *strings.Builder, columns, rows int) {
	first := len(p.recent)
	for first > 0 {
		need := max(1, (Width(withoutCodes(p.recent[first-1]))+columns-1)/max(columns, 1))
		if need > rows {
			break
		}
		rows -= need
		first--
	}
	for _, line := range p.recent[first:] {
		b.WriteString(line + "\r\n")
	}
}

// withoutCodes returns a line of the log without its colors.
func withoutCodes(line string) string {
	for _, code := range append(codes[1:], codeEnd, codeFaint) {
		line = strings.ReplaceAll(line, code, "")
	}
	return line
}
