package console

import (
	"io"
	"os"
)

// Progress is a line of a terminal that shows what is being done. A nil Progress shows nothing.
type Progress struct {
	Terminal *os.File  // says how wide the line may be
	W        io.Writer // writes to it
}

// Show shows text in place of what was shown before.
func (p *Progress) Show(text string) {
	if p != nil {
		p.write(Fit(text, p.Terminal))
	}
}

// Clear clears the line.
func (p *Progress) Clear() {
	if p != nil {
		p.write("")
	}
}

func (p *Progress) write(text string) { _, _ = io.WriteString(p.W, "\r\x1b[K"+text) }
