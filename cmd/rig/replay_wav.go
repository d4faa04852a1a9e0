package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/connect/soundplayer"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/files/scenery"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/internal/tools/lab/spectrum"
)

// wav writes what the drive sounded like into a file, and what the shakers of the configuration did into another one
// beside it.
func (c *replayCmd) wav(s *streams, r *recording.Recording) error {
	cfg, _, err := s.configuration("")
	if err != nil {
		return err
	}
	o := soundplayer.Of(&cfg, true)
	o.On = true
	if err := soundplayer.CheckWAV(r.Length(), len(o.Shakers)); err != nil {
		return c.named(err)
	}
	p, err := replay.NewPlayer(r, nil, false)
	if err != nil {
		return c.named(err)
	}
	p.ShowFrames = true
	path := string(c.WAV)
	shaking := strings.TrimSuffix(path, filepath.Ext(path)) + "-shakers.wav"
	var drawn *spectrum.Recorder
	if samples := int(r.Length()) * sound.TickSamples; c.Plot != "" {
		drawn = spectrum.New(samples, sound.Rate)
	}
	write := func(out, shakers *os.File) error {
		w := soundplayer.NewWAV(out, shakers, o, sound.NewCar(scenery.Outline(&p.Drive.Setup)))
		if err := c.play(s, r, p, w, drawn); err != nil {
			return err
		}
		return w.Close()
	}
	const mode = 0o644
	err = sink.Replace(path, mode, func(out *os.File) error {
		if len(o.Shakers) == 0 {
			return write(out, nil)
		}
		return sink.Replace(shaking, mode, func(shakers *os.File) error { return write(out, shakers) })
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s: %.1f s of sound\n", path, float64(r.Length())/1000)
	if drawn != nil {
		plot := drawn.Drawn()
		plot.Title, plot.Subtitle = "Sound of "+filepath.Base(string(c.File)), "left channel; level of a sine [dB below full scale]: black -90, red -60, yellow -30, white 0"
		if err := picture.Write(plot, "replay", "--plot", string(c.Plot)); err != nil {
			return err
		}
	}
	if len(o.Shakers) > 0 {
		fmt.Fprintf(s.out, "%s: %d shakers, a channel each\n", shaking, len(o.Shakers))
	}
	return nil
}

// play drives the recording again, and gives each tick to w, and its left channel to drawn, which may be nil.
func (c *replayCmd) play(s *streams, r *recording.Recording, p *replay.Player, w *soundplayer.WAV, drawn *spectrum.Recorder) error {
	show, done := progressOf(s, "driving again")
	defer done()
	for total := float64(max(r.Length(), 1)); ; {
		ok, err := p.Next()
		if err != nil {
			return c.named(err)
		}
		if !ok {
			return nil
		}
		heard, err := w.Tick(&p.Out.Frame)
		if err != nil {
			return err
		}
		for i := 0; drawn != nil && i < len(heard); i += 2 {
			drawn.Add(heard[i])
		}
		if p.Tick()%1000 == 0 {
			show(float64(p.Tick()) / total)
		}
	}
}

// checkWAV returns an error about the names of the files of the sound.
func (c *replayCmd) checkWAV() error {
	switch {
	case c.WAV == "" && c.Plot != "":
		return &config.Problem{File: "--plot", Text: "it draws the sound that --wav writes; give --wav too"}
	case c.WAV != "" && !strings.EqualFold(filepath.Ext(string(c.WAV)), ".wav"):
		return &config.Problem{File: "--wav", Text: fmt.Sprintf("%s: give a name that ends in .wav", c.WAV)}
	}
	return picture.CheckName("--plot", string(c.Plot))
}
