package recording

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/road/lap"
)

// Sizes of the memory between the loop and the goroutine that packs its ticks: 8 s of ticks, and of other things as many
// as they bring.
const (
	ringTicks    = 8192
	ringStates   = 12
	hashEvery    = 1000   // ticks between two hashes of the state
	stateEvery   = 10_000 // ticks between two snapshots
	packInterval = 50 * time.Millisecond
)

// slot is a tick on its way from the loop.
type slot struct {
	tick       uint64
	missing    uint64 // ticks that are missing before it
	in         drive.Inputs
	state      int  // place of the state before it, or -1
	keep       bool // that state becomes a snapshot
	sample     int  // place of the values after it, or -1
	changed    bool
	transition drive.Change
	lapDone    bool
	lap        lap.Lap
}

// Recorder takes a drive's ticks from the loop and packs them into blocks.
type Recorder struct {
	header *Header
	list   []channels.Channel
	point  *channels.Point
	every  uint64                    // ticks between two samples
	cause  func(drive.Change) string // text of a transition's cause

	slots   []slot
	states  []drive.State
	samples [][]float64

	// written by the loop
	tick     uint64 // next tick
	lost     uint64 // ticks that found no room since the last one that did
	gone     bool   // a tick was lost, and no snapshot has followed yet
	laps     uint64 // finished laps
	current  *slot  // the present tick's, or nil
	stateAt  uint64 // states stored so far
	sampleAt uint64 // samples stored so far
	head     atomic.Uint64
	missing  atomic.Uint64 // ticks lost so far

	// written by the packing goroutine
	tail       atomic.Uint64 // ticks taken so far
	stateTail  atomic.Uint64
	sampleTail atomic.Uint64
	wanted     atomic.Bool // a block needs a snapshot at its start

	pack   *packer
	memory []byte
	before presence
	blocks []*Block // all that there are
	box    blackBox
	file   *file // nil if nothing is written all the time
	marks  int
	notify func(text string) // tells the operator; nil for nobody
	lock   sync.Mutex        // of what the packing goroutine writes; the loop never takes it
	ended  bool
	trips  []trip
}

// presence is what the last tick had of devices and marks.
type presence struct {
	known                   bool
	wheel, pedals, platform bool
	mark                    bool
}

// trip is a reason to write the black box, and the tick from which it is complete.
type trip struct {
	name string
	at   uint64
}

// afterTrip is how many ticks after a fault its black box still has.
const afterTrip = 2000

// New returns a recorder of a drive that has not begun. It writes all of its memory once, so that the kernel need not
// provide any while the loop runs.
func New(h *Header, list []channels.Channel, d *drive.Drive, o Options) (*Recorder, error) {
	p, err := newPacker(h, groups(list))
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		header: h, list: list, every: uint64(1000 / max(h.Rate, 1)), cause: o.Cause, notify: o.Notify, pack: p,
		slots: make([]slot, ringTicks), states: make([]drive.State, ringStates), samples: make([][]float64, ringTicks*max(h.Rate, 1)/1000+1),
		memory: make([]byte, 0, drive.StateSize),
	}
	r.point = channels.OfDrive(d, nil, nil)
	values := make([]float64, len(r.samples)*len(list))
	for i := range values {
		values[i] = math.NaN()
	}
	for i := range r.samples {
		r.samples[i] = values[i*len(list):][:len(list):len(list)]
	}
	for i := range r.slots {
		r.slots[i] = slot{state: -1}
	}
	for i := range r.states {
		r.states[i] = d.State
	}
	r.box = blackBox{folder: o.BlackBoxFolder, header: h, list: list, keep: o.KeepBlackBoxes, memory: o.BlackBoxBytes}
	n := 2
	if o.BlackBoxFolder != "" {
		n += (boxTicks + stateEvery) / blockTicks
	}
	if o.File != "" {
		n += queueBlocks
	}
	for range n {
		r.blocks = append(r.blocks, newBlock())
	}
	if o.File != "" {
		if r.file, err = create(o, h, list); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Before takes the inputs of a tick, and the state before it. It never waits: where there is no room, the tick is
// missing in the recording. Only the loop calls it.
func (r *Recorder) Before(in *drive.Inputs, s *drive.State) {
	tick := r.tick
	r.tick++
	r.current = nil
	full := r.head.Load()-r.tail.Load() >= ringTicks
	roomForState := r.stateAt-r.stateTail.Load() < ringStates
	if full || r.gone && !roomForState {
		r.gone = true
		r.lost++
		r.missing.Add(1)
		return
	}
	k := &r.slots[r.head.Load()%ringTicks]
	k.tick, k.missing, k.in, k.state, k.sample, k.changed, k.lapDone = tick, r.lost, *in, -1, -1, false, false
	wanted := tick%blockTicks == 0 && r.wanted.Load()
	if k.keep = r.gone || wanted || tick%stateEvery == 0; (k.keep || tick%hashEvery == 0) && roomForState {
		k.state = int(r.stateAt % ringStates)
		r.states[k.state] = *s
		r.stateAt++
	}
	if wanted && k.state >= 0 {
		r.wanted.Store(false)
	}
	r.gone, r.lost = false, 0
	r.current = k
}

// After takes what a tick left behind. Only the loop calls it.
func (r *Recorder) After(s *drive.State, out *drive.Outputs) {
	k := r.current
	if k == nil {
		return
	}
	k.changed, k.transition = out.Changed, out.Change()
	if n := uint64(s.Laps.Clock.Count); n != r.laps {
		r.laps = n
		k.lapDone, k.lap = n > 0, s.Laps.Done[(max(n, 1)-1)%drive.StoredLaps]
	}
	if k.tick%r.every == 0 && r.sampleAt-r.sampleTail.Load() < uint64(len(r.samples)) {
		k.sample = int(r.sampleAt % uint64(len(r.samples)))
		r.point.Tick.In, r.point.Tick.Out = &k.in, out
		for i := range r.list {
			r.samples[k.sample][i] = r.list[i].Value(r.point)
		}
		r.sampleAt++
	}
	r.head.Add(1)
}

// Run packs the ticks until ctx ends.
func (r *Recorder) Run(ctx context.Context) {
	tick := time.NewTicker(packInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.Pack()
		}
	}
}

// Pack packs the ticks that are there. Run does it all the time.
func (r *Recorder) Pack() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.packAll()
}

// Wait waits until the file has taken what was packed. A drive in virtual time, which is faster than any disk, calls it.
func (r *Recorder) Wait() {
	if r.file != nil {
		r.file.wait()
	}
}

func (r *Recorder) packAll() {
	for r.tail.Load() < r.head.Load() {
		k := &r.slots[r.tail.Load()%ringTicks]
		r.packTick(k)
		if k.state >= 0 {
			r.stateTail.Add(1)
		}
		if k.sample >= 0 {
			r.sampleTail.Add(1)
		}
		r.tail.Add(1)
		for len(r.trips) > 0 && k.tick >= r.trips[0].at {
			r.dump(r.trips[0].name)
			r.trips = r.trips[1:]
		}
	}
}

// packTick packs a tick, and ends the block where it is full or ticks are missing.
func (r *Recorder) packTick(k *slot) {
	p := r.pack
	if k.state >= 0 && k.tick%hashEvery == 0 && p.ticks > 0 && k.missing == 0 {
		p.hash(k.tick, r.states[k.state].Hash()) // in the block of the tick that led to it
	}
	if p.ticks > 0 && (k.missing > 0 || k.tick%blockTicks == 0) {
		r.finishBlock()
	}
	if p.ticks == 0 {
		p.begin(k.tick)
	}
	if k.missing > 0 {
		p.gap(k.tick, k.missing)
		p.event(k.tick, string(drivelog.Gap), fmt.Sprintf("%d ticks are missing: the recorder was held up", k.missing))
	}
	if k.state >= 0 && k.keep {
		p.snapshot(k.tick, &r.states[k.state], r.memory[:0])
	}
	p.tick(&k.in)
	r.packEvents(k)
	if k.lapDone {
		n := len(k.lap.Sectors)
		for n > 0 && k.lap.Sectors[n-1] == 0 {
			n--
		}
		p.lap(k.tick, k.lap.Number, k.lap.Time, k.lap.Valid, k.lap.Sectors[:n])
	}
	if k.sample >= 0 {
		p.sample(k.tick, r.samples[k.sample])
	}
}

// packEvents packs what happened in a tick.
func (r *Recorder) packEvents(k *slot) {
	now := presence{true, k.in.Wheel.Present, k.in.Pedals.Present, k.in.Platform.Connected,
		(k.in.Window.Keys|k.in.Buttons.Down|k.in.Buttons.Pressed)&frame.KeyMark != 0}
	if r.before.known {
		r.packDevice(k.tick, "wheel", r.before.wheel, now.wheel)
		r.packDevice(k.tick, "pedals", r.before.pedals, now.pedals)
		r.packDevice(k.tick, "platform", r.before.platform, now.platform)
	}
	if now.mark && !r.before.mark {
		r.marks++
		text := fmt.Sprintf("mark %d", r.marks)
		r.pack.event(k.tick, string(drivelog.Mark), text)
		if r.notify != nil {
			r.notify(text)
		}
	}
	r.before = now
	if !k.changed {
		return
	}
	kind := drivelog.Transition
	if t := k.transition; t.To == guard.Fault || t.To == guard.Stopped || t.Cause == guard.WindowLost {
		kind = drivelog.Fault
		r.trip(k.transition.To.String(), k.tick+afterTrip)
	}
	r.pack.event(k.tick, string(kind), k.transition.To.String()+": "+r.cause(k.transition))
}

func (r *Recorder) packDevice(tick uint64, name string, before, now bool) {
	if before != now {
		r.pack.event(tick, string(drivelog.Device), name+map[bool]string{true: " is there", false: " is lost"}[now])
	}
}

// trip orders the black box to be written once the ticks up to at are there. Several faults within that time share one.
func (r *Recorder) trip(name string, at uint64) {
	if len(r.trips) == 0 {
		r.trips = append(r.trips, trip{name, at})
	}
}

// finishBlock hands the block to the black box and the file.
func (r *Recorder) finishBlock() {
	if r.pack.ticks == 0 {
		return
	}
	b := r.freeBlock()
	r.pack.finish(b)
	r.pack.ticks = 0
	r.box.add(b)
	if r.file != nil && !r.file.put(b) {
		r.wanted.Store(true)
	}
}

// freeBlock returns a block that neither the black box nor the file needs any longer. So a drive leaves no garbage, which
// nobody collects while it runs.
func (r *Recorder) freeBlock() *Block {
	for _, b := range r.blocks {
		if !b.boxed && !b.queued.Load() {
			return b
		}
	}
	b := newBlock()
	r.blocks = append(r.blocks, b)
	return b
}

// dump writes the black box.
func (r *Recorder) dump(name string) {
	r.finishBlock()
	path, err := r.box.write(name)
	switch {
	case r.notify == nil || path == "" && err == nil:
	case err != nil:
		r.notify("black box: " + err.Error())
	default:
		r.notify("black box written: " + path)
	}
}

// Close ends the recording after the loop has ended or, in a panic, in its place. reason is why the drive failed, or "";
// then the black box is written too. The file of a drive that never began is removed.
func (r *Recorder) Close(s *drive.State, reason string) (err error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.ended {
		return nil
	}
	r.ended = true
	r.packAll()
	if s != nil && r.pack.ticks > 0 && !r.gone {
		r.pack.hash(r.tick, s.Hash())
	}
	if len(r.trips) > 0 && reason == "" {
		reason = r.trips[0].name
	}
	if reason != "" {
		r.dump(reason)
	}
	r.finishBlock()
	if r.file == nil {
		return nil
	}
	err = r.file.close()
	if r.tick == 0 && !r.file.isPipe { // there was no drive
		err = errors.Join(err, os.Remove(r.file.path))
	}
	return err
}

// Missing returns how many ticks the recording lacks, because its memory was full or the disk too slow.
func (r *Recorder) Missing() uint64 {
	n := r.missing.Load()
	if r.file != nil {
		n += r.file.lost.Load()
	}
	return n
}

// Status returns the state of the recording, for frames. It may be called from any goroutine.
func (r *Recorder) Status() frame.Recorder {
	s := frame.Recorder{Missing: r.Missing()}
	if r.file != nil {
		s.Bytes = r.file.bytes.Load()
		if !r.file.ended.Load() {
			s.On = 1
		}
	}
	return s
}
