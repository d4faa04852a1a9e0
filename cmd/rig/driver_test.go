package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/test/level"
)

// driverRig returns the flags of a rig whose files are all in the working folder, which is new.
func driverRig(t *testing.T, more string) []string {
	t.Helper()
	inNewFolder(t)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("track = \"skidpad\"\nprofiles_dir = %q\n%s\n[record]\nfolder = %q\nblack_boxes = 0\n", filepath.Join(dir, "profiles"), more, filepath.Join(dir, "kept"))
	if err := os.WriteFile("rig.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--config", filepath.Join(dir, "rig.toml")}
}

// driverCommand runs `rig driver` in such a rig.
func driverCommand(t *testing.T, flags []string, want int, args ...string) (out, errs string) {
	t.Helper()
	status, out, errs := rigCommand(t, append(append([]string{"driver"}, args...), flags...)...)
	if status != want {
		t.Errorf("rig driver %v: status %d, want %d: %s", args, status, want, errs)
	}
	return out, errs
}

func TestDriverCommands(t *testing.T) {
	rig := driverRig(t, "")
	if out, _ := driverCommand(t, rig, exitDone, "list"); out != "no drivers; rig driver new NAME makes one\n" {
		t.Errorf("list: %q", out)
	}
	for _, bad := range []string{"../x", "none", "a.b", strings.Repeat("a", 41)} {
		if _, errs := driverCommand(t, rig, exitUsage, "new", bad); !strings.Contains(errs, "a driver's name must be 1 to 40 letters") {
			t.Errorf("%q: %s", bad, errs)
		}
	}
	driverCommand(t, rig, exitDone, "new", "anna")
	driverCommand(t, rig, exitDone, "new", "bob")
	if _, errs := driverCommand(t, rig, exitFailed, "new", "anna"); !strings.Contains(errs, "exists") {
		t.Error(errs)
	}
	if _, errs := driverCommand(t, rig, exitFailed, "use", "carl"); !strings.Contains(errs, "choose anna, bob, or run `rig driver new carl`") {
		t.Error(errs)
	}
	driverCommand(t, rig, exitDone, "use", "bob")
	if out, _ := driverCommand(t, rig, exitDone, "list"); out != "anna: records: 0\nbob: records: 0, drives when nobody is named\n" {
		t.Errorf("list: %q", out)
	}
	if err := os.WriteFile("profiles/drivers/anna.records.toml", []byte("[[record]]\ncar = \"gt\"\ntrack = \"club\"\nlap_s = 90.5\nlap_date = \"2026-01-02T12:00:00Z\"\nsectors_s = [30.0, 60.5]\nsector_dates = [\"\", \"\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := driverCommand(t, rig, exitDone, "show", "anna"); !strings.Contains(out, "# records\ngt on club: lap 1:30.500 of 2026-01-02, sector 1 30.000, sector 2 60.500\n") {
		t.Errorf("show: %q", out)
	}
	out, _ := driverCommand(t, rig, exitDone, "show", "anna", "--json")
	var shown shownDriver
	if err := json.Unmarshal([]byte(out), &shown); err != nil || len(shown.Records) != 1 || shown.Records[0].Lap != 90.5 {
		t.Errorf("%v, %+v", err, shown)
	}
	driverCommand(t, rig, exitDone, "use", "none")
	driverCommand(t, rig, exitDone, "delete", "anna")
	driverCommand(t, rig, exitFailed, "show", "anna")
	if copies, _ := filepath.Glob("profiles/drivers/deleted-anna-1/anna*.toml"); len(copies) != 2 {
		t.Errorf("copies: %v", copies)
	}
}

func TestCheckSaysWhatIsWrongWithTheDriver(t *testing.T) {
	level.SkipIfQuick(t)
	rig := driverRig(t, `driver = "anna"`)
	check := func() string {
		_, out, errs := rigCommand(t, append([]string{"check", "--json"}, rig...)...)
		return out + errs
	}
	if out := check(); !strings.Contains(out, `driver \"anna\": not found; run`) {
		t.Error(out)
	}
	driverCommand(t, rig, exitDone, "new", "anna")
	if out := check(); strings.Contains(out, `"where":"driver"`) || !strings.Contains(out, `"driver":"anna"`) {
		t.Error(out)
	}
	if err := os.WriteFile("profiles/drivers/anna.toml", []byte("wheel.max_torque_nm = 20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := check(); !strings.Contains(out, "anna.toml:1:1: wheel.max_torque_nm: protects the person on the rig") {
		t.Error(out)
	}
	if status, _, errs := rigCommand(t, append([]string{"run", "--demo", "--headless", "--duration", "1ms", "--page", socketPath(t)}, rig...)...); status != exitUsage || !strings.Contains(errs, "protects the person") {
		t.Errorf("run: status %d, %s", status, errs)
	}
	if err := os.WriteFile("profiles/drivers/anna.toml", []byte("assists.abs = 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("profiles/drivers/anna.records.toml", []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := check(); !strings.Contains(out, "until then no records are kept") || !strings.Contains(out, `"abs":7`) {
		t.Error(out)
	}
}

// The log, the summary and the recording say who drove, and the profile counts.
func TestADriveOfADriver(t *testing.T) {
	level.SkipIfQuick(t)
	rig := driverRig(t, "")
	driverCommand(t, rig, exitDone, "new", "anna")
	if err := os.WriteFile("profiles/drivers/anna.toml", []byte("# mine\nassists.abs = 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := rigCommand(t, append([]string{"run", "--demo", "--headless", "--duration", "500ms", "--json", "--record", "--driver", "anna", "--page", socketPath(t)}, rig...)...)
	if !strings.Contains(errs, "anna drives") || !strings.Contains(out, `"driver":{"name":"anna"`) {
		t.Errorf("status %d, %s\n%s", status, out, errs)
	}
	if got, err := os.ReadFile("profiles/drivers/anna.toml"); string(got) != "# mine\nassists.abs = 7\n" {
		t.Errorf("%v, the profile became\n%s", err, got)
	}
	if _, out, _ := rigCommand(t, append([]string{"ls"}, rig...)...); !strings.Contains(out, "  anna    coupe") {
		t.Errorf("rig ls: %s", out)
	}
	items, err := recording.List("kept")
	if err != nil || len(items) != 1 || items[0].Header.Driver != "anna" || !strings.Contains(items[0].Header.Config, "abs = 7") || strings.Contains(items[0].Header.Config, "anna") {
		t.Errorf("%v, %+v", err, items)
	}
	if status, _, errs := rigCommand(t, append([]string{"run", "--demo", "--headless", "--driver", "../x", "--page", socketPath(t)}, rig...)...); status != exitUsage {
		t.Errorf("a path as a name: status %d, %s", status, errs)
	}
}

// Who may not read which driver is in use is told in the log, by the name of the file, and drives.
func TestADriveWhoseDriverCannotBeRead(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	var log bytes.Buffer
	s := &streams{log: slog.New(slog.NewTextHandler(&log, nil))}
	cfg := config.Default()
	cfg.Profiles = t.TempDir() // others may not look into it
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread ends with the goroutine
		if err := unix.Setfsuid(65534); err != nil {
			t.Error(err)
			return
		}
		if session, err := s.driver(&cfg, "", true); session != nil || err != nil {
			t.Errorf("%+v, %v", session, err)
		}
	}()
	<-done
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "level=WARN") || !strings.Contains(got, filepath.Join(cfg.Profiles, "driver.toml")) {
		t.Errorf("the log is %q", got)
	}
}
