package console

import (
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// followJobControl draws the block anew when the terminal's size changes and after the process was stopped, and removes it
// before Ctrl-Z stops the process. It ends with the panel.
func (p *Panel) followJobControl() {
	signals := make(chan os.Signal, 4)
	watched := []os.Signal{unix.SIGWINCH, unix.SIGCONT}
	if !signal.Ignored(unix.SIGTSTP) {
		watched = append(watched, unix.SIGTSTP)
	}
	signal.Notify(signals, watched...)
	defer signal.Stop(signals)
	for {
		select {
		case <-p.ended:
			return
		case s := <-signals:
			if s == unix.SIGTSTP {
				p.stopProcess(signals)
			}
			p.change(func() { p.suspended, p.fresh = false, p.fresh || s != unix.SIGWINCH })
		}
	}
}

// stopProcess removes the block and stops the process, as Ctrl-Z does without a handler. It returns when the process is
// continued. It does nothing if there is no shell that could continue it.
func (p *Panel) stopProcess(signals <-chan os.Signal) {
	leader, _ := unix.Getsid(0)
	if group, err := unix.Getpgid(leader); err != nil || group == unix.Getpgrp() {
		return
	}
	p.change(func() { p.suspended = true })
	for end := time.Now().Add(200 * time.Millisecond); !p.isIdle() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	_ = unix.Kill(unix.Getpid(), unix.SIGSTOP) // Go cannot give SIGTSTP its effect back
	for s := range signals {
		if s == unix.SIGCONT {
			return
		}
	}
}

// change changes p and lets its goroutine look.
func (p *Panel) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	p.signal()
}
