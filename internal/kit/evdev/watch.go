package evdev

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	inputDir   = "/dev/input"
	inputMask  = unix.IN_CREATE | unix.IN_ATTRIB | unix.IN_DELETE | unix.IN_MOVED_TO | unix.IN_DELETE_SELF
	parentMask = unix.IN_CREATE | unix.IN_MOVED_TO
)

// Watch returns a channel that receives a value when input nodes appear, disappear or change their
// permissions. Several changes may count as one. The channel is closed when ctx ends.
//
// If /dev/input does not exist yet, Watch waits for it to appear.
func Watch(ctx context.Context) (<-chan struct{}, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("evdev: inotify: %w; raise fs.inotify.max_user_instances", err)
	}
	if err := watchDirs(fd); err != nil {
		unix.Close(fd)
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "inotify")
	changed := make(chan struct{}, 1)
	stop := context.AfterFunc(ctx, func() { f.Close() })
	go func() {
		defer close(changed)
		defer f.Close()
		defer stop()
		forwardNotices(f, changed)
	}()
	return changed, nil
}

// forwardNotices turns each batch of inotify events into one value on changed until f is closed.
func forwardNotices(f *os.File, changed chan<- struct{}) {
	var buf [4096]byte
	for {
		if _, err := f.Read(buf[:]); err != nil {
			return
		}
		// The folder may just have been created. Adding a watch a second time changes nothing.
		raw, err := f.SyscallConn()
		if err == nil {
			_ = raw.Control(func(fd uintptr) { _ = watchDirs(int(fd)) })
		}
		select {
		case changed <- struct{}{}:
		default:
		}
	}
}

// watchDirs watches /dev, in which the folder may appear, and the folder if it exists.
func watchDirs(fd int) error {
	if _, err := unix.InotifyAddWatch(fd, "/dev", parentMask); err != nil {
		return fmt.Errorf("evdev: watch /dev: %w; raise fs.inotify.max_user_watches", err)
	}
	_, err := unix.InotifyAddWatch(fd, inputDir, inputMask)
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("evdev: watch %s: %w; raise fs.inotify.max_user_watches", inputDir, err)
	}
	return nil
}
