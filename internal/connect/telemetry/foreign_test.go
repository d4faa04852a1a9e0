package telemetry_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/test/level"
)

// foreignPackage is what testdata/read_lfs.mjs needs of npm's registry: a reader of the packets of Live for Speed.
const foreignPackage = "node-insim@6.0.0"

// foreignPackets is what it finds.
type foreignPackets struct {
	Version string
	Gauge   struct {
		Time                                uint32
		Car                                 string
		Gear                                int
		Speed, RPM, Fuel                    float64
		Throttle, Brake, Clutch             float64
		Flags, PLID, DashLights, ShowLights uint32
	}
	Sim struct {
		Header string
		Time   uint32
		OSMain struct {
			AngVel, Accel, Vel, Pos [3]float64
			Heading, Pitch, Roll    float64
		}
		OSInputs struct{ Throttle, Brake, InputSteer, Clutch, Handbrake float64 }
		Gear     int
		OSWheels [4]struct {
			Steer, XForce, YForce, VerticalLoad, AngVel, SlipRatio, TanSlipAngle float64
			Touching                                                             int
		}
		EngineAngVel, CurrentLapDist, IndexedDistance, SteerTorque float64
	}
}

// A reader of another project, which takes rig for Live for Speed, finds in our UDP packets what the car does.
func TestAnotherReaderReadsOutGaugeAndOutSim(t *testing.T) {
	level.SkipUnlessAll(t, "internal/connect/packets reads the packets, in Go")
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s: apt-get install nodejs npm", tool)
		}
	}
	s := cornering(t, 1).sample()
	f := s.Frame
	f.Throttle, f.Brake, f.Clutch, f.Handbrake = 0.8, 0.4, 0.2, 0.6
	p := readByNode(t, map[string][]byte{"gauge": telemetry.Append(nil, "outgauge", s), "sim": telemetry.Append(nil, "outsim", s)})
	t.Logf("node-insim %s read a packet of car %q", p.Version, p.Gauge.Car)

	g := &p.Gauge
	within(t, "time", float64(g.Time), float64(f.Tick), 0)
	within(t, "gear", float64(g.Gear), float64(f.Gear+1), 0)
	within(t, "speed", g.Speed, f.Speed, 1e-4)
	within(t, "engine speed", g.RPM, f.RPM, 1e-2)
	within(t, "fuel", g.Fuel, f.Charge, 1e-6)
	within(t, "pedals", g.Throttle+10*g.Brake+100*g.Clutch, 0.8+4+20, 1e-4)

	m := &p.Sim.OSMain
	within(t, "time", float64(p.Sim.Time), float64(f.Tick), 0)
	within(t, "gear", float64(p.Sim.Gear), float64(f.Gear+1), 0)
	within(t, "rate to the left", m.AngVel[2], f.Rate[2], 0.02) // about the vertical, and about the car's axis
	within(t, "right side down", m.Roll, motionOf(f).RightDown, 1e-5)
	within(t, "nose up", m.Pitch, motionOf(f).NoseUp, 1e-5)
	within(t, "speed", math.Hypot(m.Vel[0], m.Vel[1]), math.Hypot(f.Vel[0], f.Vel[1]), 1e-3)
	within(t, "velocity along the heading", m.Vel[1]*math.Cos(m.Heading)-m.Vel[0]*math.Sin(m.Heading), f.Speed, 0.05)
	within(t, "acceleration to the left", -m.Accel[0]*math.Cos(m.Heading)-m.Accel[1]*math.Sin(m.Heading), f.Acc[1], 0.1)
	within(t, "height", m.Pos[2]/65536, f.Pos[2], 1e-3)
	if in := &p.Sim.OSInputs; p.Sim.Header != "LFST" || in.InputSteer <= 0 {
		t.Errorf("header %q, steered by %g rad to the left", p.Sim.Header, in.InputSteer)
	}
	within(t, "inputs", p.Sim.OSInputs.Throttle+10*p.Sim.OSInputs.Brake+100*p.Sim.OSInputs.Clutch+1000*p.Sim.OSInputs.Handbrake, 0.8+4+20+600, 1e-3)
	for i, k := range []int{2, 3, 0, 1} {
		got, w := &p.Sim.OSWheels[i], &f.Wheels[k]
		within(t, "load", got.VerticalLoad, w.Load, 0.5)
		within(t, "force to the right", got.XForce, -w.LateralForce, 0.5)
		within(t, "slip ratio", got.SlipRatio, w.SlipRatio, 1e-5)
	}
	within(t, "engine", p.Sim.EngineAngVel, f.RPM*math.Pi/30, 1e-2)
}

// readByNode sends packets to node-insim by UDP, and returns what it finds in them.
func readByNode(t *testing.T, packets map[string][]byte) (found foreignPackets) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", installReader(t))
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	lines := bufio.NewReader(out)
	ports := map[string]int{}
	readLine(t, lines, &ports)
	for name, b := range packets {
		to, err := net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", ports[name]))
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		if _, err := to.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	readLine(t, lines, &found)
	return found
}

func readLine(t *testing.T, r *bufio.Reader, v any) {
	t.Helper()
	line, err := r.ReadBytes('\n')
	if err == nil || err == io.EOF {
		err = json.Unmarshal(line, v)
	}
	if err != nil {
		t.Fatalf("%v in %.300q", err, line)
	}
}

// installReader installs node-insim, and returns the path of the script that uses it.
func installReader(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	npm := exec.Command("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", foreignPackage)
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, out)
	}
	text, err := os.ReadFile("testdata/read_lfs.mjs")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, "read_lfs.mjs") // where it finds its packages
	if err := os.WriteFile(script, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}
