package labtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/ads1115"
	"rig.example/rig/test/vm/cp2112"
	"rig.example/rig/test/vm/mono"
)

// bridge plugs in a CP2112 and returns its GPIO chip and I²C bus.
func bridge(t *testing.T) (b *cp2112.Bridge, gpio, bus string) {
	t.Helper()
	start := mono.Now()
	b, err := cp2112.New("RIG0002")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Unplug)
	if gpio, err = b.GPIO(); err != nil {
		t.Fatal(err)
	}
	if bus, err = b.I2C(); err != nil {
		t.Fatal(err)
	}
	t.Logf("figure: CP2112: %s and %s %v after the plug", gpio, bus, mono.Now()-start)
	return b, gpio, bus
}

func TestCP2112HasGPIOAndI2C(t *testing.T) {
	inGuest(t)
	_, chip, bus := bridge(t)
	f, err := os.Open(chip)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var info struct {
		name, label [32]byte
		lines       uint32
	}
	if err := ioctl(int(f.Fd()), gpioGetChipInfo, unsafe.Pointer(&info)); err != nil {
		t.Fatal(err)
	}
	if label := text(info.label[:]); label != "cp2112_gpio" || info.lines != cp2112.Lines {
		t.Errorf("label %q with %d lines, want cp2112_gpio with %d", label, info.lines, cp2112.Lines)
	}
	name, err := os.ReadFile("/sys/class/i2c-dev/" + filepath.Base(bus) + "/name")
	if err != nil || !strings.Contains(string(name), "CP2112") {
		t.Errorf("bus %q, %v; want a CP2112", name, err)
	}
}

func TestCP2112InputFollowsTheSwitch(t *testing.T) {
	inGuest(t)
	b, chip, _ := bridge(t)
	line, err := requestLine(chip, 0, gpioInput)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(line)
	var worst time.Duration
	for i := range 20 {
		high := i%2 == 0
		b.SetInput(0, high)
		start := mono.Now()
		got, err := lineValue(line)
		worst = max(worst, mono.Now()-start)
		if err != nil || got != high {
			t.Fatalf("line is %v, %v; want %v", got, err, high)
		}
	}
	t.Logf("figure: CP2112: reading a line takes up to %v", worst)
}

func TestCP2112EdgesAreDetectedByPolling(t *testing.T) {
	inGuest(t)
	b, chip, _ := bridge(t)
	line, err := requestLine(chip, 0, gpioInput|gpioEdgeRising|gpioEdgeFalling)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(line)
	var worst time.Duration
	for i := range 6 {
		time.Sleep(100 * time.Millisecond)
		b.SetInput(0, i%2 == 0)
		start := mono.Now()
		if err := waitEdge(line, 2*time.Second); err != nil {
			t.Fatalf("edge %d: %v", i, err)
		}
		worst = max(worst, mono.Now()-start)
	}
	t.Logf("figure: CP2112: an edge is reported up to %v late; the kernel has read the lines %d times", worst, b.Reads())
}

func TestCP2112OutputStaysAfterTheProgramEnds(t *testing.T) {
	inGuest(t)
	const relay = 3
	b, chip, _ := bridge(t)
	line, err := requestLine(chip, relay, gpioOutput)
	if err != nil {
		t.Fatal(err)
	}
	b.Changes()
	start := mono.Now()
	if err := setLine(line, true); err != nil {
		t.Fatal(err)
	}
	took := mono.Now() - start
	if high, driven := b.Output(relay); !high || !driven {
		t.Errorf("line high %v, driven %v; want both", high, driven)
	}
	for _, c := range b.Changes() {
		t.Logf("figure: CP2112: the relay's line changes %v after the call, which takes %v", c.At-start, took)
	}
	unix.Close(line)
	time.Sleep(200 * time.Millisecond)
	if high, driven := b.Output(relay); !high || !driven {
		t.Errorf("200 ms after close: high %v, driven %v; want both still: the chip keeps its latch", high, driven)
	}
}

func TestCP2112LinesFailAfterUnplug(t *testing.T) {
	inGuest(t)
	b, chip, bus := bridge(t)
	b.SetInput(0, true)
	line, err := requestLine(chip, 0, gpioInput)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(line)
	i2c, err := openChip(bus, 0x48)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(i2c)
	start := mono.Now()
	b.Unplug()
	eventually(t, "an error from the line", func() bool { _, err = lineValue(line); return err != nil })
	t.Logf("figure: CP2112: the line gives %q %v after unplug", err, mono.Now()-start)
	_, err = unix.Read(i2c, make([]byte, 2))
	if err == nil {
		t.Error("the bus gives no error after unplug")
	}
	t.Logf("figure: CP2112: the bus gives %q %v after unplug", err, mono.Now()-start)
}

func TestADS1115AnswersBehindTheBridge(t *testing.T) {
	inGuest(t)
	b, _, bus := bridge(t)
	adc := ads1115.New()
	b.Connect(0x48, adc)
	chip, err := openChip(bus, 0x48)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(chip)
	var worst time.Duration
	for i, want := range []int16{0, 8192, 16384, -1} {
		adc.SetVolts(0, 4.096*float64(want)/32768)
		start := mono.Now()
		got, err := convert(chip)
		worst = max(worst, mono.Now()-start)
		if err != nil || got != want {
			t.Errorf("reading %d: %d, %v; want %d", i, got, err, want)
		}
	}
	t.Logf("figure: ADS1115 behind the CP2112: one conversion at 860 per second takes up to %v", worst)
	b.Connect(0x48, nil)
	start := mono.Now()
	if _, err := convert(chip); !errors.Is(err, unix.ETIMEDOUT) {
		t.Errorf("without the chip: %v, want ETIMEDOUT", err)
	}
	t.Logf("figure: without the chip the bus fails after %v", mono.Now()-start)
}

// convert starts a single conversion of input 0 (range 4.096 V, 860 per second) and returns its result.
func convert(chip int) (int16, error) {
	err := again(func() error { _, err := unix.Write(chip, []byte{1, 0xc3, 0xe3}); return err })
	if err != nil {
		return 0, fmt.Errorf("start: %w", err)
	}
	mono.SleepUntil(mono.Now() + time.Second/860)
	b, err := register(chip, 1)
	if err != nil {
		return 0, fmt.Errorf("config: %w", err)
	}
	if b&0x8000 == 0 {
		return 0, fmt.Errorf("config %#04x: still busy", b)
	}
	b, err = register(chip, 0)
	return int16(b), err
}

// again calls f until it is not interrupted by a signal: hid-cp2112 aborts a transfer on a signal, and Go's
// scheduler sends signals to its own threads.
func again(f func() error) error {
	for {
		if err := f(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// i2cMessage is struct i2c_msg.
type i2cMessage struct {
	address, flags, length uint16
	data                   unsafe.Pointer
}

// register reads a register in a single transfer: it writes the number and reads the value after a repeated start.
func register(chip int, number byte) (uint16, error) {
	const i2cReadWrite, read, address = 0x0707, 1, 0x48
	var value [2]byte
	messages := [2]i2cMessage{
		{address, 0, 1, unsafe.Pointer(&number)},
		{address, read, uint16(len(value)), unsafe.Pointer(&value)},
	}
	transfer := struct {
		messages unsafe.Pointer
		count    uint32
	}{unsafe.Pointer(&messages), uint32(len(messages))}
	err := again(func() error { return ioctl(chip, i2cReadWrite, unsafe.Pointer(&transfer)) })
	return binary.BigEndian.Uint16(value[:]), err
}

// openChip opens an I²C bus for transfers with the chip at this address.
func openChip(bus string, address int) (int, error) {
	const i2cSlave = 0x0703
	fd, err := unix.Open(bus, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	return fd, unix.IoctlSetInt(fd, i2cSlave, address)
}
