// Package soundplayer is the process that plays a rig's sound and drives its shakers.
//
// It is a child of the rig, of ordinary priority and with memory of its own: its crash, or a sound server that stalls,
// costs the drive nothing. Its inputs are the rig's page, mapped read-only, and its options as JSON; its outputs are the
// samples for each sound device, and what it tells the rig once a second over a connection.
package soundplayer

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
)

// Options say what plays where.
type Options struct {
	Sound   sound.Config
	On      bool // the sound plays, and not the shakers alone
	Shakers []sound.ShakerConfig

	buffer time.Duration // longer than a drive would have, for tests on busy machines; 0 for that of Sound
}

// Wanted reports whether anything plays.
func (o Options) Wanted() bool { return o.On || len(o.Shakers) > 0 }

// latency returns the wanted length of the buffers.
func (o *Options) latency() time.Duration {
	switch {
	case o.buffer > 0:
		return o.buffer
	case o.Sound.LowLatency:
		return 15 * time.Millisecond
	}
	return 40 * time.Millisecond
}

// devices lists the devices that a configuration names, each once. The sound's comes first.
func (o Options) devices() (names []string) {
	if o.On {
		names = append(names, o.Sound.Device)
	}
	for _, k := range o.Shakers {
		if !slices.Contains(names, k.Device) {
			names = append(names, k.Device)
		}
	}
	return names
}

// Run plays until ctx ends. Where there is no device it logs that once, and tries again and again: a server may start
// later.
func Run(ctx context.Context, p *framepage.Page, status net.Conn, o Options, log *slog.Logger) error {
	scene, ok := p.Scene()
	if !ok {
		return errors.New("sound: the rig has published no scene")
	}
	car, feed := sound.NewCar(scene), &feed{}
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wg.Go(func() { feed.run(ctx, p, sound.NewTracker(car)) })
	var all []*player
	for _, name := range o.devices() {
		d := newPlayer(o, name, car, feed, log)
		all = append(all, d)
		wg.Go(func() { d.run(ctx) })
	}
	wg.Go(func() {
		defer cancel() // the rig has ended, or does not listen any more
		report(ctx, status, all)
	})
	<-ctx.Done()
	waitFor(&wg, longestGoodbye)
	return nil
}

// longestGoodbye is how long the end of a drive waits for sound servers, which may hang.
const longestGoodbye = 300 * time.Millisecond

// waitFor waits until all of wg is done, or for a limit.
func waitFor(wg *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// player plays on one device.
type player struct {
	options Options
	device  string
	car     sound.Car
	feed    *feed
	log     *slog.Logger
	shakers []*sound.Shaker // of all devices; those of this one stay as hot as they are when it is opened again
	retry   time.Duration
	logged  string // why it does not play, or not all of it, as logged last

	underruns atomic.Uint64 // of streams that have ended
	stream    atomic.Pointer[audio.Stream]
	age       atomic.Int64 // of the newest state that was written [ns]
}

func newPlayer(o Options, device string, car sound.Car, feed *feed, log *slog.Logger) *player {
	d := &player{options: o, device: device, car: car, feed: feed, log: log, retry: 10 * time.Second}
	for _, k := range o.Shakers {
		d.shakers = append(d.shakers, sound.NewShaker(k, car))
	}
	return d
}

// run plays, and opens the device again where it is lost, until ctx ends.
func (d *player) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := d.play(ctx); err != nil && ctx.Err() == nil {
			d.logOnce("no sound: the rig drives without", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(d.retry):
		}
	}
}

// logOnce logs err, unless it was the last that was logged.
func (d *player) logOnce(text string, err error) {
	if err.Error() != d.logged {
		d.logged = err.Error()
		d.log.Info(text, "error", err, "device", d.device)
	}
}

// play plays on the device until it is lost or ctx ends.
func (d *player) play(ctx context.Context) error {
	list, err := audio.Sinks()
	if err != nil {
		return err
	}
	sink, err := audio.Find(list, d.device)
	if err != nil {
		return err
	}
	mix, unusable := newMix(d.options, d.device, sink, d.car, d.shakers)
	mix.from, mix.age = d.feed.reader(), &d.age
	s, err := audio.Play(audio.Config{Sink: sink, Latency: d.options.latency(), Title: "drive", Fill: mix.fill})
	if err != nil {
		return err
	}
	d.stream.Store(s)
	d.log.Info("sound plays", "device", sink.Name)
	d.logged = ""
	if err := errors.Join(unusable...); err != nil {
		d.logOnce("a shaker stays still", err)
	}
	select {
	case <-ctx.Done():
	case <-s.Done():
	}
	d.stream.Store(nil)
	d.underruns.Add(s.Underruns())
	return s.Close()
}

// latency returns the time from a tick to the moment when its sound leaves the computer, and whether the device plays.
func (d *player) latency() (time.Duration, bool) {
	s := d.stream.Load()
	if s == nil {
		return 0, false
	}
	buffered, err := s.Latency()
	return buffered + time.Duration(d.age.Load()), err == nil
}

// report tells the rig once a second what plays, until ctx ends. A buffer empties until the server asks for more: its
// latency is the longest of several looks.
func report(ctx context.Context, status net.Conn, all []*player) {
	const looks = 10 // a second
	out, every := json.NewEncoder(status), time.NewTicker(time.Second/looks)
	defer every.Stop()
	longest := 0.0
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		now := look(all)
		longest = max(longest, now.Latency)
		if n%looks != 0 {
			continue
		}
		now.Latency, longest = longest, 0
		if out.Encode(now) != nil {
			return // the rig has ended
		}
	}
}

// look returns what plays now.
func look(all []*player) (now frame.Sound) {
	for _, d := range all {
		now.Underruns += d.underruns.Load()
		if s := d.stream.Load(); s != nil {
			now.Underruns += s.Underruns()
		}
		if latency, ok := d.latency(); ok {
			now.Devices++
			now.Latency = max(now.Latency, latency.Seconds())
		}
	}
	return now
}
