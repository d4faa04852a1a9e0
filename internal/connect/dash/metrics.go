package dash

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Types of metrics.
const (
	gauge   = "gauge"
	counter = "counter"
)

// family is a metric: its samples, and what it means.
type family struct {
	name, kind, help string
	samples          []metricSample
}

// metricSample is a value, and the name and value of its label unless the metric has none. NaN and Inf are left out.
type metricSample struct {
	label, of string
	value     float64
}

// single is a metric without labels.
func single(name, kind, help string, value float64) family {
	return family{name, kind, help, []metricSample{{value: value}}}
}

// labeled is a metric with a sample for each value of a label.
func labeled(name, kind, help, label string, count int, sampleAt func(i int) (of string, value float64)) family {
	f := family{name: name, kind: kind, help: help}
	for i := range count {
		of, value := sampleAt(i)
		f.samples = append(f.samples, metricSample{label, of, value})
	}
	return f
}

// one returns 1 for true and 0 for false.
func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// write writes the text of a metric, or nothing if it has no samples.
func (f *family) write(b *bytes.Buffer) {
	f.samples = slices.DeleteFunc(f.samples, func(s metricSample) bool { return !valid.Finite(s.value) })
	if len(f.samples) == 0 {
		return
	}
	b.WriteString("# HELP rig_" + f.name + " " + f.help + "\n# TYPE rig_" + f.name + " " + f.kind + "\n")
	for _, s := range f.samples {
		b.WriteString("rig_" + f.name)
		if s.label != "" {
			b.WriteString("{" + s.label + `="` + labelEscapes.Replace(s.of) + `"}`)
		}
		b.WriteString(" " + strconv.FormatFloat(s.value, 'g', -1, 64) + "\n")
	}
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// writeMetrics writes all metrics of the rig and of this server.
func (s *server) writeMetrics(b *bytes.Buffer) {
	var f frame.Frame
	seq, age, isKnown := s.hub.current(&f)
	_, ended := s.options.Source.Ended()
	list := []family{
		single("ended", gauge, "1 if the rig has ended.", one(ended)),
		single("frames_total", counter, "Frames that the loop has published.", float64(seq)),
	}
	if isKnown {
		n := &s.options.Scene.Names
		list = append(list, single("frame_age_seconds", gauge, "Time since the newest frame came.", age.Seconds()))
		list = slices.Concat(list, loopMetrics(&f), safetyMetrics(&f, n), forceMetrics(&f), platformMetrics(&f, n), carMetrics(&f))
	}
	list = append(list, s.webMetrics()...)
	for i := range list {
		list[i].write(b)
	}
}

func loopMetrics(f *frame.Frame) []family {
	return []family{
		single("loop_simulated_ticks_total", counter, "Steps of the car's simulation, 1000 per second of driving.", float64(f.Tick)),
		single("loop_missed_total", counter, "Periods that had ended when the loop woke.", float64(f.Missed)),
		single("loop_dropped_total", counter, "Missed periods without a tick.", float64(f.Dropped)),
		single("loop_lateness_max_seconds", gauge, "Worst lateness of the loop so far.", f.LateMax),
		single("loop_tick_seconds", gauge, "Duration of the last tick.", f.TickCost),
		single("window_pictures_total", counter, "Pictures that the rig's window has shown.", float64(f.Pictures)),
		single("recorder_on", gauge, "1 while the drive is recorded.", float64(f.Recorder.On)),
		single("recorder_bytes_total", counter, "Bytes written to the recording.", float64(f.Recorder.Bytes)),
		single("recorder_missing_ticks_total", counter, "Ticks that the recording lacks.", float64(f.Recorder.Missing)),
	}
}

func safetyMetrics(f *frame.Frame, n *frame.Names) []family {
	return []family{
		labeled("safety_state", gauge, "1 for the present safety state.", "state", len(n.States), func(i int) (string, float64) {
			return n.States[i], one(f.State == uint64(i))
		}),
		labeled("flag", gauge, "1 for each state or device that is present, such as wheel, pedals and platform.", "flag", len(flagNames), func(i int) (string, float64) {
			return flagNames[i], float64(f.Flags >> i & 1)
		}),
	}
}

func forceMetrics(f *frame.Frame) []family {
	return []family{
		single("force_rim_newton_meters", gauge, "Torque sent to the wheel, positive to the left.", f.RimTorque),
		single("force_asked_newton_meters", gauge, "Torque requested before limits, positive to the left.", f.AskedTorque),
		single("force_limit_newton_meters", gauge, "Highest torque that the rim may get now.", f.RatedTorque),
		single("force_clipped_ratio", gauge, "Share of the last 10 s of driving in which the requested torque exceeded the limit.", f.Force.Clipped),
	}
}

func platformMetrics(f *frame.Frame, n *frame.Names) []family {
	m := &f.Motion
	legs := int(min(m.LegCount, frame.MaxLegs, uint64(len(n.Actuators))))
	perLeg := func(name, help string, values *[frame.MaxLegs]float64) family {
		return labeled(name, gauge, help, "actuator", legs, func(i int) (string, float64) { return n.Actuators[i], values[i] })
	}
	return []family{
		labeled("platform_state", gauge, "1 for the platform's present state.", "state", len(n.PlatformStates), func(i int) (string, float64) {
			return n.PlatformStates[i], one(m.State == uint64(i))
		}),
		labeled("platform_fault", gauge, "1 for each fault of the platform.", "fault", len(n.Faults), func(i int) (string, float64) {
			return n.Faults[i], float64(m.Faults >> i & 1)
		}),
		single("platform_targets_per_second", gauge, "Targets sent to the platform.", m.Rate),
		single("platform_latency_seconds", gauge, "Time from a tick to the last byte of its target on the line.", m.Latency),
		single("platform_line_ratio", gauge, "Share of the line's capacity in use.", m.LineShare),
		single("platform_motion_ratio", gauge, "Share of the motion that the guard lets pass.", m.GuardShare),
		single("platform_jumps_total", counter, "Targets that jumped implausibly far.", float64(m.Warnings)),
		perLeg("platform_target_ratio", "Target of the actuator, share of the stroke.", &f.Legs),
		perLeg("platform_position_ratio", "Measured position of the actuator, share of the stroke.", &f.LegsFeedback),
		perLeg("platform_follow_error_ratio", "Measured minus expected position of the actuator, share of the stroke.", &m.FollowError),
		perLeg("platform_temperature_celsius", "Temperature of the actuator's drive.", &m.Temperature),
	}
}

var wheelNames = [4]string{"front_left", "front_right", "rear_left", "rear_right"}

func carMetrics(f *frame.Frame) []family {
	perWheel := func(name, help string, value func(w *frame.Wheel) float64) family {
		return labeled(name, gauge, help, "wheel", 4, func(i int) (string, float64) { return wheelNames[i], value(&f.Wheels[i]) })
	}
	return []family{
		single("car_speed_meters_per_second", gauge, "Speed of the car, positive forward.", f.Speed),
		single("car_engine_rpm", gauge, "Speed of the engine in revolutions per minute.", f.RPM),
		single("car_distance_meters_total", counter, "Driven distance.", f.Distance),
		single("car_fuel_liters", gauge, "Fuel in the tank.", f.Fuel),
		single("laps_total", counter, "Finished laps.", float64(f.Lap.Count)),
		single("lap_last_seconds", gauge, "Time of the last finished lap, 0 before the first.", f.Lap.Last),
		single("lap_best_seconds", gauge, "Shortest time of a valid lap, 0 before the first.", f.Lap.Best),
		perWheel("tire_temperature_celsius", "Temperature of the tread's surface.", func(w *frame.Wheel) float64 { return w.TireTemperature }),
		perWheel("tire_pressure_pascals", "Pressure of the tire.", func(w *frame.Wheel) float64 { return w.TirePressure }),
		perWheel("tire_wear_ratio", "Share of the usable tread that is worn off.", func(w *frame.Wheel) float64 { return w.TireWear }),
		perWheel("brake_temperature_celsius", "Temperature of the brake disc.", func(w *frame.Wheel) float64 { return w.BrakeTemperature }),
	}
}

func (s *server) webMetrics() []family {
	open, refusedConnections := 0, uint64(0)
	if s.listener != nil {
		open, refusedConnections = s.listener.counts()
	}
	c := &s.counters
	c.mu.Lock()
	defer c.mu.Unlock()
	codes := slices.Sorted(maps.Keys(c.byStatus))
	return []family{
		single("web_streams", gauge, "Pages that are open.", float64(s.hub.streams())),
		single("web_connections", gauge, "Open connections.", float64(open)),
		single("web_connections_refused_total", counter, "Connections closed because there were too many.", float64(refusedConnections)),
		single("web_streams_dropped_total", counter, "Streams closed because nobody read them.", float64(c.dropped)),
		single("web_messages_skipped_total", counter, "Messages replaced by newer ones before a page took them.", float64(c.skipped)),
		labeled("web_requests_refused_total", counter, "Refused requests by HTTP status.", "status", len(codes), func(i int) (string, float64) {
			return strconv.Itoa(codes[i]), float64(c.byStatus[codes[i]])
		}),
		labeled("web_orders_total", counter, "Orders that reached the rig.", "order", 2, func(i int) (string, float64) {
			return [...]string{"stop", "tune"}[i], float64([...]uint64{c.stops, c.tunes}[i])
		}),
	}
}
