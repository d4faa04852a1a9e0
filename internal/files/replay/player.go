package replay

import (
	"errors"
	"fmt"
	"sort"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/kit/version"
)

// Player drives a recording again.
type Player struct {
	Drive  *drive.Drive
	In     drive.Inputs   // of the last tick
	Out    *drive.Outputs // of the last tick
	MaxRPM float64        // end of the engine speed gauge in the display [1/min]

	ShowFrames bool // Out.Frame is filled in, even if it was not in the recorded drive; that changes no state

	changed bool // the rig differs from the recorded one

	rec   *recording.Recording
	block *recording.Data
	next  int    // number of the block after it
	tick  uint64 // the next tick
}

// NewPlayer returns a player at the start of a recording. set are KEY=VALUE arguments that change the rig: keys of the
// configuration, and of the car behind "car.". It returns an error if another build recorded it, unless anyBuild is true.
func NewPlayer(r *recording.Recording, set []string, anyBuild bool) (*Player, error) {
	h, v := &r.Header, version.Current()
	if h.Inputs != drive.InputsLayout() || h.State != drive.StateLayout() || !anyBuild && (h.Version != v.Version || h.Commit != v.Commit || h.Target != v.Target) {
		own := version.Info{Version: h.Version, Commit: h.Commit, Target: h.Target}
		hint := "replay it with the rig that recorded it"
		if h.Inputs == drive.InputsLayout() && h.State == drive.StateLayout() {
			hint += ", or let --drift show what differs"
		}
		return nil, fmt.Errorf("recorded by %v, and this is %v; %s", own, v, hint)
	}
	if len(set) > 0 && len(r.Blocks) > 0 && r.Blocks[0].First != 0 {
		return nil, errors.New("it begins in the middle of a drive, whose state has the recorded rig in it; --set needs a recording from the start")
	}
	if len(r.Blocks) == 0 {
		return nil, fmt.Errorf("it holds no drive")
	}
	parts, err := build(h, set)
	if err != nil {
		return nil, err
	}
	p := &Player{Drive: parts.Drive, Out: &drive.Outputs{}, MaxRPM: parts.MaxRPM, rec: r, changed: len(set) > 0}
	if p.changed {
		return p, p.beginChanged()
	}
	return p, p.Seek(r.Blocks[0].First)
}

// beginChanged begins a whole drive in a changed rig, whose own state at the start it has, with the operator's consent of
// the recorded one.
func (p *Player) beginChanged() error {
	d, err := p.rec.Block(p.rec.Blocks[0])
	if err != nil {
		return err
	}
	p.block, p.next = d, 1
	for _, s := range d.Snapshots {
		var was drive.State
		if s.Tick == 0 && was.Set(s.State) == nil && was.Guard.HighTorqueAllowed() {
			p.Drive.State.Guard.AllowHighTorque()
		}
	}
	return nil
}

// Tick returns the number of the next tick.
func (p *Player) Tick() uint64 { return p.tick }

// Seek goes to just before a tick: to the last snapshot before it, and on from there.
func (p *Player) Seek(tick uint64) error {
	blocks := p.rec.Blocks
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].First > tick }) - 1
	for ; i >= 0; i-- {
		d, err := p.rec.Block(blocks[i])
		if err != nil {
			return err
		}
		if ok, err := p.begin(d, i); err != nil {
			return err
		} else if ok {
			break
		}
	}
	if i < 0 {
		return fmt.Errorf("no snapshot before %.3f s", float64(tick)/1000)
	}
	for p.tick < tick {
		if ok, err := p.Next(); err != nil || !ok {
			return err
		}
	}
	return nil
}

// begin goes to the start of a block if that has a snapshot.
func (p *Player) begin(d *recording.Data, number int) (bool, error) {
	for _, s := range d.Snapshots {
		if s.Tick == d.First {
			p.block, p.next, p.tick = d, number+1, d.First
			return true, p.Drive.State.Set(s.State)
		}
	}
	return false, nil
}

// Next drives the next tick. It returns false at the end of the recording. Where ticks are missing it goes on from the
// next snapshot.
func (p *Player) Next() (ok bool, err error) {
	for {
		ok, err = p.block.Next(&p.In)
		if err != nil {
			return false, err
		}
		if ok {
			break
		}
		if ok, err = p.nextBlock(); err != nil || !ok {
			return false, err
		}
	}
	if err := p.step(); err != nil {
		return false, err
	}
	p.tick++
	return true, nil
}

// step steps the drive. A recording that was tampered with may hold values that no drive has.
func (p *Player) step() (err error) {
	defer func() {
		if bad := recover(); bad != nil {
			err = fmt.Errorf("tick %d cannot be driven: the recording is damaged (%v)", p.tick, bad)
		}
	}()
	p.In.FrameWanted = p.In.FrameWanted || p.ShowFrames
	p.Out = p.Drive.Step(&p.In)
	return nil
}

// nextBlock goes to the next block that can be driven.
func (p *Player) nextBlock() (bool, error) {
	for p.next < len(p.rec.Blocks) {
		d, err := p.rec.Block(p.rec.Blocks[p.next])
		if err != nil {
			p.next++ // what is whole goes on behind it
			continue
		}
		if d.First == p.tick && d.Missing == 0 {
			p.block = d
			p.next++
			return true, nil
		}
		if ok, err := p.begin(d, p.next); err != nil || ok {
			return ok, err
		}
		p.next++
	}
	return false, nil
}
