package replay

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sort"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
)

// Ghost returns the best valid lap of a recording, or else its longest lap, as a table for the display. It returns an
// error if there is no lap, or if the circuit is another one than that of the rig that cfg and parts describe.
func Ghost(path string, cfg config.Config, parts *drivesetup.Parts) (*frame.Ghost, error) {
	r, err := recording.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := sameCircuit(&r.Header, cfg, parts); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	list, err := channels.Named(ghostChannels)
	if err != nil {
		return nil, err
	}
	l, err := Log(r, Part{Channels: list})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	from, to := ghostLap(l)
	if from == to {
		return nil, fmt.Errorf("%s: no lap in it to drive against: the car never crossed the start line; name another recording", path)
	}
	return ghostTable(l, from, to), nil
}

// ghostChannels are the channels that a ghost is made of: time and number of the lap, then a frame.GhostPoint.
const ghostChannels = "lap_time,lap_number,position_x,position_y,position_z,roll_angle,pitch_angle,yaw_angle,lap_distance"

// sameCircuit returns an error if a recording is of another circuit than a rig's.
func sameCircuit(h *recording.Header, cfg config.Config, parts *drivesetup.Parts) error {
	files, err := circuitFiles(cfg, parts.TrackFiles)
	if err != nil {
		return err
	}
	own := filepath.Base(cfg.Track)
	if h.Track != own {
		return fmt.Errorf("recorded on the circuit %s, and this drive is on %s; name a recording of the same circuit", h.Track, own)
	}
	if !slices.EqualFunc(h.Circuit, files, func(a, b recording.File) bool { return a.SHA256 == b.SHA256 }) {
		return fmt.Errorf("the files of the circuit %s have changed since it was recorded; name a newer recording", own)
	}
	return nil
}

// ghostLap returns the samples of the lap that becomes the ghost, from the first up to before the last. They are equal if
// there is no lap. A lap that lacks its start or has a gap does not count.
func ghostLap(l *drivelog.Log) (from, to int) {
	const late = 0.1 // of the first sample in a lap, and of the last one before its end [s]
	number, time := l.Channels[1].Values, l.Channels[0].Values
	best, longest := math.Inf(1), 0.0
	for begin, end := 0, 0; begin < len(number); begin = end {
		for end = begin + 1; end < len(number) && number[end] == number[begin]; end++ {
		}
		if !(number[begin] > 0 && time[begin] < late) { // also true for NaN, where samples are missing
			continue
		}
		took := time[end-1]
		valid := slices.ContainsFunc(l.Laps, func(k drivelog.Lap) bool {
			return k.Valid && k.Number == int(number[begin]) && took > k.Time-late
		})
		if valid && took < best || math.IsInf(best, 1) && took > longest {
			from, to = begin, end
		}
		if valid {
			best = min(best, took)
		}
		longest = max(longest, took)
	}
	return from, to
}

// ghostTable returns samples of a lap as a table by lap time, with the recorded rate, or a part of it if the lap is long.
// It holds no pauses, in which the lap time stands still.
func ghostTable(l *drivelog.Log, from, to int) *frame.Ghost {
	time := l.Channels[0].Values[from:to]
	g := &frame.Ghost{Step: 1 / l.Rate}
	took := time[len(time)-1]
	for took/g.Step+1 > frame.MaxGhost {
		g.Step *= 2
	}
	far := float32(0)
	for k := range int(took/g.Step) + 1 {
		at := float64(k) * g.Step
		i := min(max(sort.Search(len(time), func(i int) bool { return time[i] > at }), 1), max(len(time)-1, 1))
		value := func(channel int) float64 {
			v := l.Channels[channel].Values[from:to]
			if len(v) == 1 || time[i] == time[i-1] {
				return v[i-1]
			}
			step := v[i] - v[i-1]
			if l.Channels[channel].Unit == "rad" {
				step = math.Remainder(step, 2*math.Pi)
			}
			return v[i-1] + step*(at-time[i-1])/(time[i]-time[i-1])
		}
		p := frame.GhostPoint{
			X: float32(value(2)), Y: float32(value(3)), Z: float32(value(4)),
			Roll: float32(value(5)), Pitch: float32(value(6)), Yaw: float32(value(7)), Distance: max(float32(value(8)), far),
		}
		far = p.Distance
		g.Points = append(g.Points, p)
	}
	return g
}
