package console

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// Panel writes text and shows a block of lines below it. One goroutine writes; all else returns at once, however long
// the reader takes: text waits in a queue with a limit, of the blocks only the newest waits.
//
// The cursor stands on an empty line below the block, so that what others write, such as the trace of a panic, begins there.
type Panel struct {
	w       io.Writer
	options Options

	wake  chan struct{} // 1 if something may be to do
	ended chan struct{} // closed when the goroutine has ended

	mu        sync.Mutex
	pending   [][]byte // texts that wait
	size      int      // bytes in pending
	lost      int      // lines dropped from pending
	lines     []Line   // newest block
	closing   bool
	leave     bool // closing leaves the block on the screen
	suspended bool // the process is about to be stopped: the terminal belongs to the shell
	fresh     bool // the shell has written below the block
	idle      bool // nothing is left to do
	failure   error

	picture
}

// Options are the options of a Panel.
type Options struct {
	Terminal *os.File                   // where the block is shown; nil shows none
	Color    bool                       // the block has colors
	Size     func() (columns, rows int) // of the terminal; nil asks it
	Lost     func(lines int) []byte     // says that lines were lost, as a line of the log; nil keeps all that waits
}

// ErrNotRead is the error of Flush if the reader takes nothing.
var ErrNotRead = errors.New("nobody reads it")

// maxPending is how much text waits for the reader [bytes]; the oldest is dropped beyond.
const maxPending = 256 << 10

// NewPanel returns a panel that writes to w. Close must be called.
func NewPanel(w io.Writer, o Options) *Panel {
	if o.Size == nil && o.Terminal != nil {
		o.Size = func() (columns, rows int) { return Size(o.Terminal) }
	}
	p := &Panel{w: w, options: o, wake: make(chan struct{}, 1), ended: make(chan struct{}), idle: true, picture: picture{color: o.Color, lineStart: true}}
	if o.Terminal != nil {
		go p.followJobControl()
	}
	go p.run()
	return p
}

// Write queues text. It never waits, except after Close. It returns the error of an earlier write, if there was one.
func (p *Panel) Write(text []byte) (int, error) {
	if p.hasEnded() {
		return p.w.Write(text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return 0, p.failure
	}
	p.pending, p.size = append(p.pending, bytes.Clone(text)), p.size+len(text)
	for p.size > maxPending && p.options.Lost != nil {
		p.size -= len(p.pending[0])
		p.lost += bytes.Count(p.pending[0], []byte("\n"))
		p.pending = p.pending[1:]
	}
	p.signal()
	return len(text), nil
}

// Show shows lines as the block, instead of those before. It never waits. It returns the error of an earlier write, if
// there was one.
func (p *Panel) Show(lines []Line) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.options.Terminal != nil {
		p.lines = lines
		p.signal()
	}
	return p.failure
}

// Area returns the terminal's width and height. There must be a terminal.
func (p *Panel) Area() (columns, rows int) { return p.options.Size() }

// signal wakes the goroutine. p.mu must be held.
func (p *Panel) signal() {
	p.idle = false
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// run writes until the panel is closed.
func (p *Panel) run() {
	defer close(p.ended)
	for range p.wake {
		p.mu.Lock()
		closing := p.closing
		p.mu.Unlock()
		for p.writeNext() {
		}
		if closing {
			return
		}
	}
}

// writeNext writes what is to be written, and reports whether there was something.
func (p *Panel) writeNext() bool {
	out := p.next()
	if len(out) == 0 {
		return false
	}
	if _, err := p.w.Write(out); err != nil {
		p.mu.Lock()
		p.failure, p.pending, p.size, p.lines = err, nil, 0, nil
		p.mu.Unlock()
	}
	return true
}

// next takes what waits and returns the bytes that show it; none if there is nothing new.
func (p *Panel) next() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		p.idle = true
		return nil
	}
	var text []byte
	if p.lost > 0 {
		text = p.options.Lost(p.lost)
	}
	text = append(text, bytes.Join(p.pending, nil)...)
	p.pending, p.size, p.lost = nil, 0, 0
	if p.fresh {
		p.fresh = false
		p.forget()
	}
	if p.options.Terminal == nil {
		p.idle = len(text) == 0
		return text
	}
	lines := p.lines
	if p.suspended || p.closing && !p.leave || !inForeground(p.options.Terminal) {
		lines = nil
	}
	columns, rows := p.options.Size()
	if typed := typedBytes(p.options.Terminal); typed != p.typed {
		p.typed, p.moved = typed, true
	}
	out := p.draw(text, lines, p.closing, columns, rows)
	p.idle = len(out) == 0
	return out
}

// Flush waits until all is written, and returns the first error of a write. It gives up with ErrNotRead after 2 s in which
// the reader took nothing.
func (p *Panel) Flush() error {
	if !p.wait(func() bool { return p.isIdle() || p.hasEnded() }) {
		return ErrNotRead
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failure
}

// Close removes the block, writes what waits and ends the panel, as Flush does. It may be called again.
func (p *Panel) Close() { p.close(false) }

// Leave is Close, but leaves the block on the screen.
func (p *Panel) Leave() { p.close(true) }

func (p *Panel) close(leave bool) {
	p.mu.Lock()
	if !p.closing {
		p.closing, p.leave = true, leave
		p.signal()
	}
	p.mu.Unlock()
	p.wait(p.hasEnded)
}

func (p *Panel) isIdle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.idle
}

func (p *Panel) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// wait waits for a condition. It reports false if the terminal or pipe has taken nothing for 2 s.
func (p *Panel) wait(reached func() bool) bool {
	const pause, most = 5 * time.Millisecond, 400
	file, _ := p.w.(*os.File)
	for stuck := 0; !reached(); time.Sleep(pause) {
		if stuck++; file == nil || takes(file) {
			stuck = 0
		}
		if stuck == most {
			return false
		}
	}
	return true
}
