package drive

import (
	"io"
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
)

// demand is one command to the platform: where its actuators shall stand [counts].
type demand struct {
	at      time.Duration // when its last byte arrived
	targets [3]int
}

// tape is the platform's end of the line. It keeps what the platform is told, and when.
type tape struct {
	io.ReadWriteCloser
	mu      sync.Mutex
	bytes   []byte // of a command that is not complete yet
	now     [3]int
	demands []demand
}

// Read is the controller's; it only listens in.
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

// take looks at the first frame, '[', motor, two bytes, ']', and returns how many bytes
// are done with. The last motor completes a demand.
func (l *tape) take(at time.Duration) int {
	f := l.bytes
	if f[0] != '[' || f[4] != ']' {
		return 1
	}
	if f[1] >= 'A' && f[1] <= 'C' {
		l.now[f[1]-'A'] = int(f[2])<<8 | int(f[3])
	}
	if f[1] == 'C' {
		l.demands = append(l.demands, demand{at, l.now})
	}
	return 5
}

// moving tells whether each of the newest demands asked for another place than the one
// before.
func (l *tape) moving() bool {
	const newest = 2
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.demands)
	for i := n - newest; i < n; i++ {
		if i < 1 || l.demands[i].targets == l.demands[i-1].targets {
			return false
		}
	}
	return true
}

// held returns when, after a time, the first demand came that asked to stay where the one
// before had asked to be, with none that moved after it; 0 if the newest still moves.
func (l *tape) held(since time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.demands) - 1
	if n < 1 || l.demands[n].targets != l.demands[n-1].targets {
		return 0
	}
	for n > 1 && l.demands[n-1].at > since && l.demands[n-1].targets == l.demands[n-2].targets {
		n--
	}
	return l.demands[n].at
}
