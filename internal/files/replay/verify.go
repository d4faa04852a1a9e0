package replay

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/recording"
)

// Verified tells how a replay compares with its recording.
type Verified struct {
	Ticks   uint64 `json:"ticks"`   // driven again
	Hashes  int    `json:"hashes"`  // compared
	Missing uint64 `json:"missing"` // ticks that the recording lacks
	Equal   bool   `json:"equal"`   // nothing differs

	// Where it differs first, if it does.
	Tick  uint64 `json:"tick,omitempty"`  // first tick that is known to differ
	Since uint64 `json:"since,omitempty"` // last tick that is known to be equal
	Field string `json:"field,omitempty"` // what differs, with both values
}

// Verify drives a recording again and compares the hash of the state once a second, and the channels in between. progress
// is told the share that is done.
func (p *Player) Verify(progress func(share float64)) (Verified, error) {
	v := Verified{Since: p.tick}
	c := newComparison(p)
	length := max(p.rec.Length(), 1)
	for {
		before := p.tick
		ok, err := p.Next()
		if err != nil {
			return v, err
		}
		if !ok {
			break
		}
		if p.tick != before+1 { // ticks are missing
			v.Missing += p.tick - 1 - before
		}
		v.Ticks++
		if field := c.compare(&v); field != "" {
			v.Tick, v.Field = p.tick, field
			return v, nil
		}
		if v.Ticks%20_000 == 0 {
			progress(float64(p.tick) / float64(length))
		}
	}
	v.Equal = true
	return v, nil
}

// comparison compares a replay with what its recording holds.
type comparison struct {
	p      *Player
	block  *recording.Data
	groups [][]channels.Channel
	hashes []recording.Hash
	states []recording.Snapshot
	values []recording.Sample
	point  *channels.Point
}

func newComparison(p *Player) *comparison {
	return &comparison{p: p, groups: groupsOf(&p.rec.Header), point: channels.OfDrive(p.Drive, &p.In, nil)}
}

// groupsOf returns the channels of a recording by groups, or nil if it has other channels than this program.
func groupsOf(h *recording.Header) (all [][]channels.Channel) {
	list := channels.All()
	if len(list) != len(h.Channels) {
		return nil
	}
	for i := range list {
		if list[i].Name != h.Channels[i] {
			return nil
		}
		if n := len(all); n == 0 || all[n-1][0].Group != list[i].Group {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], list[i])
	}
	return all
}

// compare compares after a tick. It returns what differs, or "".
func (c *comparison) compare(v *Verified) string {
	p := c.p
	if c.block != p.block {
		c.block = p.block
		c.hashes, c.states, c.values = p.block.Hashes, p.block.Snapshots, p.block.Samples
	}
	driven := p.tick - 1
	for len(c.values) > 0 && c.values[0].Tick <= driven {
		s := c.values[0]
		c.values = c.values[1:]
		if s.Tick != driven || s.Group >= len(c.groups) {
			continue
		}
		if field := c.compareSample(&s); field != "" {
			return field
		}
	}
	for len(c.hashes) > 0 && c.hashes[0].Tick <= p.tick {
		h := c.hashes[0]
		c.hashes = c.hashes[1:]
		if h.Tick != p.tick {
			continue
		}
		v.Hashes++
		if p.Drive.State.Hash() != h.Hash {
			return c.stateDifference()
		}
		v.Since = p.tick
	}
	return ""
}

// compareSample compares the channels of a group.
func (c *comparison) compareSample(s *recording.Sample) string {
	c.point.Tick.Out = c.p.Out
	for i := range c.groups[s.Group] {
		if i >= len(s.Values) {
			break
		}
		k := &c.groups[s.Group][i]
		if got := float32(k.Value(c.point)); math.Float32bits(got) != math.Float32bits(s.Values[i]) {
			return strings.TrimSpace(fmt.Sprintf("%s is %v and was %v %s", k.Name, got, s.Values[i], k.Unit))
		}
	}
	return ""
}

// stateDifference names a field of the state that differs, if the recording has the state of this tick.
func (c *comparison) stateDifference() string {
	for _, s := range c.states {
		var was drive.State
		if s.Tick != c.p.tick || was.Set(s.State) != nil {
			continue
		}
		if list := drive.Differences(&c.p.Drive.State, &was, 1); len(list) > 0 {
			return fmt.Sprintf("%s is %s and was %s", list[0].Field, list[0].A, list[0].B)
		}
	}
	return "the hash of the whole state; no channel differs"
}

// String tells the result on a line.
func (v Verified) String() string {
	missing := ""
	if v.Missing > 0 {
		missing = fmt.Sprintf("; %d ticks are missing in the recording", v.Missing)
	}
	if v.Equal {
		return fmt.Sprintf("all %d ticks equal (%d hashes of the whole state)%s", v.Ticks, v.Hashes, missing)
	}
	return fmt.Sprintf("differs at tick %d (%.3f s; equal up to %.3f s): %s%s", v.Tick, float64(v.Tick)/1000, float64(v.Since)/1000, v.Field, missing)
}
