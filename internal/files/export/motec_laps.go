package export

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/files/drivelog"
)

// beaconSpacing is the shortest time between two beacons: the end of a lap is the start of the next one, but for
// rounding to a tick [s].
const beaconSpacing = 0.002

// MoTeCLaps writes the laps of log as a .ldx file, which i2 reads if it stands beside the .ld file of the same name.
//
// i2 counts the drive to the first beacon as lap 1. Only laps that are whole in the log have beacons, and only those
// that count can be the fastest.
func MoTeCLaps(w io.Writer, log *drivelog.Log) error {
	if err := check(log); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?>
<LDXFile Locale="English_United States.1252" DefaultLocale="C" Version="1.6">
 <Layers>
  <Layer>
   <MarkerBlock>
    <MarkerGroup Name="Beacons" Index="3">
`)
	laps := wholeLaps(log)
	beacons := beaconTimes(laps)
	for i, t := range beacons {
		const microseconds = 1e6
		fmt.Fprintf(&b, "     <Marker Version=\"100\" ClassName=\"BCN\" Name=\"Manual.%d\" Flags=\"77\" Time=\"%.17e\"/>\n", i+1, t*microseconds)
	}
	fmt.Fprintf(&b, `    </MarkerGroup>
   </MarkerBlock>
   <RangeBlock/>
  </Layer>
  <Details>
   <String Id="Total Laps" Value="%d"/>
`, len(beacons)+1)
	if time, end := fastest(laps); !math.IsInf(time, 0) {
		lap := 1 + slices.IndexFunc(beacons, func(t float64) bool { return math.Abs(t-end) <= beaconSpacing })
		fmt.Fprintf(&b, "   <String Id=\"Fastest Time\" Value=\"%s\"/>\n   <String Id=\"Fastest Lap\" Value=\"%d\"/>\n", lapTime(time), lap)
	}
	b.WriteString("  </Details>\n </Layers>\n</LDXFile>\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// wholeLaps returns the laps that lie within log, with starts from its first sample.
func wholeLaps(log *drivelog.Log) (laps []drivelog.Lap) {
	length := float64(log.Len()) / log.Rate
	for _, lap := range log.Laps {
		lap.Start -= log.Start
		if lap.Start >= -beaconSpacing && lap.Time > beaconSpacing && lap.Start+lap.Time <= length+beaconSpacing {
			lap.Start = max(lap.Start, 0)
			laps = append(laps, lap)
		}
	}
	return laps
}

// beaconTimes returns the times at which laps start and end, in order [s].
func beaconTimes(laps []drivelog.Lap) (times []float64) {
	for _, lap := range laps {
		times = append(times, lap.Start, lap.Start+lap.Time)
	}
	slices.Sort(times)
	kept := times[:0]
	for _, t := range times {
		if len(kept) == 0 || t-kept[len(kept)-1] > beaconSpacing {
			kept = append(kept, t)
		}
	}
	return kept
}

// fastest returns the time of the fastest lap that counts and when it ended [s], or Inf if there is none.
func fastest(laps []drivelog.Lap) (time, end float64) {
	time = math.Inf(1)
	for _, lap := range laps {
		if lap.Valid && lap.Time < time {
			time, end = lap.Time, lap.Start+lap.Time
		}
	}
	return time, end
}

// lapTime formats a time as minutes and seconds.
func lapTime(seconds float64) string {
	ms := int64(math.Round(seconds * 1000))
	return fmt.Sprintf("%d:%02d.%03d", ms/60000, ms/1000%60, ms%1000)
}
