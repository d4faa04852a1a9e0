package telemetry

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/connect/packets"
)

// Places in packets.SimData.
const (
	simAPISize = 46044
	simAPICars = 1364 // where the cars begin: nothing in them changes while the rig drives
	simAPITail = 16   // bytes from SimAPI to the end
)

// simAPIPath is where readers look for the shared memory.
const simAPIPath = "/dev/shm/SIMAPI.DAT"

// errOtherWriter reports that another program writes the shared memory.
var errOtherWriter = errors.New("another program writes it, such as simd; end that program, or remove this output")

// simAPIFile is the shared memory SIMAPI.DAT. It is written by pwrite and never mapped: a file that somebody cuts short or
// replaces by another changes nothing here.
type simAPIFile struct {
	file *os.File
	own  [16]byte // mtick and prev_mtick as last written
	sent bool
}

// openSimAPI opens the shared memory at path, which is made if it is not there. It is an error if it belongs to somebody else, is not a
// regular file, has a second name, or another program writes it.
func openSimAPI(path string) (target, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("telemetry: %s: %w; remove it, or have its owner do so", path, err)
	}
	f := &simAPIFile{file: os.NewFile(uintptr(fd), path)}
	if err := errors.Join(f.checkOwner(), f.lock()); err != nil {
		return nil, errors.Join(fmt.Errorf("telemetry: %s %w", path, err), f.file.Close())
	}
	if err := f.watch(); err != nil {
		return nil, errors.Join(fmt.Errorf("telemetry: %s: %w", path, err), f.file.Close())
	}
	return f, nil
}

func (f *simAPIFile) checkOwner() error {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.file.Fd()), &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() || st.Nlink != 1 {
		return fmt.Errorf("is not a regular file of user %d with one name; remove it, or have its owner do so", os.Geteuid())
	}
	return nil
}

// lock keeps a second rig away.
func (f *simAPIFile) lock() error {
	if err := unix.Flock(int(f.file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("is locked: %w", errOtherWriter)
	}
	return nil
}

// watch looks for a while whether somebody writes.
func (f *simAPIFile) watch() error {
	const looks, pause = 10, 30 * time.Millisecond // simd writes every 16 ms
	first := f.counters()
	for range looks {
		time.Sleep(pause)
		if f.counters() != first {
			return errOtherWriter
		}
	}
	return nil
}

// counters returns mtick and prev_mtick, which every writer changes; zeros if the file is shorter.
func (f *simAPIFile) counters() (b [16]byte) {
	_, _ = f.file.ReadAt(b[:], 0)
	return b
}

func (f *simAPIFile) send(packet []byte) error {
	if f.sent {
		// A file that was cut short has zeros there.
		if now := f.counters(); now != f.own && !slices.Equal(now[:], make([]byte, len(now))) {
			return fmt.Errorf("telemetry: %s: %w", f.file.Name(), errOtherWriter)
		}
	}
	copy(f.own[:], packet)
	if !f.sent {
		f.sent = true
		return f.write(packet, 0)
	}
	// The end before the beginning: readers look at mtick.
	return errors.Join(f.write(packet[simAPISize-simAPITail:], simAPISize-simAPITail), f.write(packet[:simAPICars], 0))
}

func (f *simAPIFile) write(b []byte, at int64) error {
	_, err := f.file.WriteAt(b, at)
	return err
}

// close says that no simulator runs any more, unless another program writes by now.
func (f *simAPIFile) close() error {
	var err error
	if f.sent && f.counters() == f.own {
		var status [4]byte
		binary.LittleEndian.PutUint32(status[:], 0)
		off := packets.Append(nil, &packets.SimData{SimAPIVersion: packets.SimVersion})
		err = errors.Join(f.write(status[:], 16), f.write(off[simAPISize-simAPITail:], simAPISize-simAPITail))
	}
	return errors.Join(err, f.file.Close())
}
