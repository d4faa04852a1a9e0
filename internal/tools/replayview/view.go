// Package replayview shows a recording in the window: it drives the recording again at the speed that the user wants, and
// publishes its frames as a running rig does. Its input is a recording and the keys of the window. It opens no device.
package replayview

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/live/rig"
	"rig.example/rig/sim"
)

// Options are the options of Run.
type Options struct {
	Page string // path of the socket from which watchers get the page; "" for none

	Picture string  // path of a PNG file to draw instead of showing the drive; "" for none
	At      float64 // moment of the recording that it shows [s]; NaN is its middle

	Log *slog.Logger // must not be nil
}

// Run shows a recording in a window until that is closed or ctx ends, or draws a picture of it.
func Run(ctx context.Context, r *recording.Recording, o Options) error {
	v, err := newView(r)
	if err != nil {
		return err
	}
	p, err := framepage.New()
	if err != nil {
		return err
	}
	defer p.Close()
	defer p.End("")
	v.page = p
	cfg, err := config.ParseRecorded("the recording's configuration", r.Header.Config)
	if err != nil {
		return err
	}
	if err := p.SetScene(rig.Scene(v.player.Drive, o.Log)); err != nil {
		return err
	}
	if o.Page != "" {
		socket, err := framepage.Reserve(o.Page)
		if err != nil {
			return err
		}
		defer socket.Close()
		if err := socket.Serve(p); err != nil {
			return err
		}
	}
	if o.Picture != "" {
		cfg.Display.Fullscreen, cfg.Display.Quality = false, "high"
		v.pauseAt(o.At)
	}
	if err := v.step(0); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	closed := make(chan error, 1)
	go func() {
		if o.Picture != "" {
			closed <- rig.DrawPage(ctx, p, &cfg, v.player.MaxRPM, o.Picture, o.Log)
			return
		}
		closed <- rig.ShowPage(ctx, p, &cfg, v.player.MaxRPM, o.Log)
	}()
	err = v.play(ctx, closed)
	cancel()
	if shown := <-closed; err == nil {
		err = shown
	}
	return err
}

// interval is the time between two published frames. It is shorter than between two pictures, so that no picture shows
// what the one before it did.
const interval = 5 * time.Millisecond

// view is one replay that is shown.
type view struct {
	player   *replay.Player
	page     *framepage.Page
	controls Controls
	shown    frame.Replay
	still    bool // for a picture, which shows no bar
}

// newView returns a view at the start of a recording. It reads the whole recording, for its marks.
func newView(r *recording.Recording) (*view, error) {
	p, err := replay.NewPlayer(r, nil, false)
	if err != nil {
		return nil, err
	}
	p.ShowFrames = true
	events, err := replay.Log(r, replay.Part{})
	if err != nil {
		return nil, err
	}
	first := p.Tick() + 1
	v := &view{player: p, controls: Controls{First: first, Last: max(r.Length(), first), Place: first}}
	v.shown = frame.Replay{Active: 1}
	v.setMarks(events)
	return v, nil
}

// pauseAt pauses the view at a moment of the recording [s], or in its middle if that is NaN.
func (v *view) pauseAt(at float64) {
	c := &v.controls
	v.still, c.Paused, c.Place = true, true, (c.First+c.Last)/2
	if at >= 0 {
		c.Place = max(uint64(min(at/sim.Dt, float64(c.Last))), c.First)
	}
}

// setMarks sets what the scrub bar marks. Laps are left out if there is no room.
func (v *view) setMarks(l *drivelog.Log) {
	var marks []frame.Mark
	for _, e := range l.Events {
		kind := frame.DriverMark
		switch e.Kind {
		case drivelog.Mark:
		case drivelog.Fault:
			kind = frame.FaultMark
		default:
			continue
		}
		marks = append(marks, frame.Mark{Time: e.Time, Kind: kind})
		v.controls.Stops = append(v.controls.Stops, uint64(math.Round(e.Time/sim.Dt))+1)
	}
	for _, k := range l.Laps {
		marks = append(marks, frame.Mark{Time: k.Start + k.Time, Kind: frame.LapMark})
	}
	marks = marks[:min(len(marks), frame.MaxMarks)]
	slices.SortStableFunc(marks, func(a, b frame.Mark) int { return int(math.Copysign(1, a.Time-b.Time)) })
	v.shown.Count = uint64(copy(v.shown.Marks[:], marks))
}

// play steps the view in real time until the window is closed, which closed tells, or ctx ends.
func (v *view) play(ctx context.Context, closed chan error) error {
	const longest = 0.1 // [s]; a program that was held up goes on where it was
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case err := <-closed:
			closed <- nil
			return err
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		now := time.Now()
		if err := v.step(min(now.Sub(last).Seconds(), longest)); err != nil {
			return err
		}
		last = now
	}
}

// step goes on by dt seconds and publishes what is there.
func (v *view) step(dt float64) error {
	c, p := &v.controls, v.player
	keys, pictures := v.page.Keys()
	if pictures == 0 {
		dt = 0 // the window is still opening
	}
	if err := v.goTo(c.Step(keys, v.page.Seek(), dt)); err != nil {
		return err
	}
	c.Place = p.Tick() // further than wanted, where ticks are missing
	v.shown.Paused = 0
	if c.Paused {
		v.shown.Paused = 1
	}
	v.shown.Speed, v.shown.Length, v.shown.Position = c.Speed(), float64(c.Last)*sim.Dt, float64(c.Place)*sim.Dt
	if v.still {
		v.shown.Length = 0
	}
	v.page.Publish(&p.Out.Frame)
	v.page.SetReplay(&v.shown)
	return nil
}

// goTo drives to a place, from a snapshot if it is behind or far ahead.
func (v *view) goTo(place uint64) error {
	const far = 10_000 // between two snapshots [ticks]
	at := v.player.Tick()
	if place < at || place > at+far {
		var err error
		if place, err = v.seek(place, at); err != nil {
			return err
		}
	}
	for v.player.Tick() < place {
		ok, err := v.player.Next()
		if err != nil {
			return fmt.Errorf("at %.3f s: %w", float64(v.player.Tick())*sim.Dt, err)
		}
		if !ok {
			v.controls.Last, v.controls.Paused = v.player.Tick(), true
			return nil
		}
	}
	return nil
}

// seek goes to the tick before a place. Where ticks are missing there it goes further back, to the place that it returns,
// or a step back would end where it began.
func (v *view) seek(place, from uint64) (uint64, error) {
	for further := uint64(1000); ; further *= 2 {
		if err := v.player.Seek(place - 1); err != nil {
			return place, err
		}
		if v.player.Tick() == place-1 || place > from || place == v.controls.First {
			return place, nil
		}
		place -= min(further, place-v.controls.First)
	}
}
