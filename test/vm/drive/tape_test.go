package drive

import (
	"io"
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
)

// command is one command to the platform: the target positions of its actuators [counts].
type command struct {
	at      time.Duration // when its last byte arrived
	targets [3]int
}

// tape is the platform's end of the line. It records all commands and their times.
type tape struct {
	io.ReadWriteCloser
	mu       sync.Mutex
	bytes    []byte // of a command that is not complete yet
	now      [3]int
	commands []command
}

// Read reads for the controller and records what it read.
func (l *tape) Read(b []byte) (int, error) {
	n, err := l.ReadWriteCloser.Read(b)
	at := mono.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes = append(l.bytes, b[:max(n, 0)]...)
	for len(l.bytes) >= 5 {
		l.bytes = l.bytes[l.take(at):]
	}
	return n, err
}

// take decodes the first frame, '[', motor, two bytes, ']', and returns the number of bytes that it used. The last motor completes a command.
func (l *tape) take(at time.Duration) int {
	f := l.bytes
	if f[0] != '[' || f[4] != ']' {
		return 1
	}
	if f[1] >= 'A' && f[1] <= 'C' {
		l.now[f[1]-'A'] = int(f[2])<<8 | int(f[3])
	}
	if f[1] == 'C' {
		l.commands = append(l.commands, command{at, l.now})
	}
	return 5
}

// moving reports whether the platform moves: each of the newest commands has other targets than the one before it.
func (l *tape) moving() bool {
	const newest = 2
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.commands)
	for i := n - newest; i < n; i++ {
		if i < 1 || l.commands[i].targets == l.commands[i-1].targets {
			return false
		}
	}
	return true
}

// held returns when the platform was held: the time of the first command after since that has the same targets
// as the one before it, and after which no command moves an actuator. It is 0 if the newest command still does.
func (l *tape) held(since time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.commands) - 1
	if n < 1 || l.commands[n].targets != l.commands[n-1].targets {
		return 0
	}
	for n > 1 && l.commands[n-1].at > since && l.commands[n-1].targets == l.commands[n-2].targets {
		n--
	}
	return l.commands[n].at
}
