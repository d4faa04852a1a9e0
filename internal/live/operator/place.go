package operator

import "sync/atomic"

// Place tells where the platform of a command stands, to those who end or stop the command. Its methods may be called from
// any goroutine, and of a nil Place.
type Place struct{ text atomic.Pointer[func() string] }

// Set sets a function that says in words where the platform stands now. It must not wait.
func (p *Place) Set(text func() string) {
	if p != nil {
		p.text.Store(&text)
	}
}

// String returns where the platform stands, such as "the platform is parked". It is "" as long as none can have moved.
func (p *Place) String() string {
	if p == nil {
		return ""
	}
	if text := p.text.Load(); text != nil {
		return (*text)()
	}
	return ""
}
