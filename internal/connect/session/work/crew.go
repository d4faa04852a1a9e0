package work

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
)

// silence is how long a worker counts without a sign of life.
const silence = 5 * period

// maxCrew is the highest number of workers that are counted.
const maxCrew = 4096

// crew is what a sender knows of the workers.
type crew struct {
	node     *Node
	mutex    sync.Mutex
	signs    map[string]heard // by instance
	reported string
	quiet    int // periods without a report, in which workers find the servers again
}

// heard is a sign with the time at which it came.
type heard struct {
	sign
	at time.Time
}

// hear takes a sign of life.
func (c *crew) hear(_ string, data []byte) {
	var s sign
	if json.Unmarshal(data, &s) != nil || !tokens.MatchString(s.Instance) || session.CheckID(string(s.Member)) != nil || s.Parallel < 1 || s.Parallel > maxParallel {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.signs == nil {
		c.signs = map[string]heard{}
	}
	if s.Left {
		delete(c.signs, s.Instance)
	} else if _, known := c.signs[s.Instance]; known || len(c.signs) < maxCrew {
		c.signs[s.Instance] = heard{s, time.Now()}
	}
}

// present returns the signs of workers that are there, of the sender's build and of others.
func (c *crew) present() (same, others []sign) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.signs, func(_ string, h heard) bool { return time.Since(h.at) > silence })
	for _, h := range c.signs {
		if c.node.isSame(h.Protocol, h.Build) {
			same = append(same, h.sign)
		} else {
			others = append(others, h.sign)
		}
	}
	return same, others
}

// parallel returns how many units the workers drive at a time.
func (c *crew) parallel() (n int) {
	same, _ := c.present()
	for _, s := range same {
		n += s.Parallel
	}
	return n
}

// reportIf reports once each period. Without a connection nothing is known of the workers, and afterwards they
// need a while to be heard again.
func (c *crew) reportIf(connected bool) {
	switch {
	case !connected:
		c.quiet = int(silence / period)
	case c.quiet > 0:
		c.quiet--
	default:
		c.report()
	}
}

// report logs how many workers there are, whenever that has changed.
func (c *crew) report() {
	same, others := c.present()
	text := fmt.Sprintf("work: workers: %d, points at a time: %d", len(same), c.parallel())
	if len(same) == 0 {
		text = "work: no worker; start one on each machine with rig worker FILE"
	}
	var builds []string
	for _, s := range others {
		builds = append(builds, fmt.Sprintf("%s (%s)", s.Member, printable.Name(s.Build)))
	}
	if slices.Sort(builds); len(builds) > 0 {
		text += fmt.Sprintf("; not of this build, and left out: %s", strings.Join(builds[:min(5, len(builds))], ", "))
	}
	if text != c.reported {
		c.reported = text
		c.node.Log.Info(text)
	}
}
