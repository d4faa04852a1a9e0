package framepage

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Seals of shared memory. No seal can be removed, and none can be added later.
const (
	sealSize  = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL // truncation would end every process that accesses the mapping
	sealState = sealSize | unix.F_SEAL_FUTURE_WRITE                      // only existing mappings can be written
)

// newMemory creates anonymous shared memory of size bytes, seals it, and maps it for writing. All of it is
// allocated in advance, so that a lack of memory is an error here and not a SIGBUS later.
func newMemory(name string, size, seals int) (f *os.File, mem []byte, err error) {
	var limit unix.Rlimit
	// Above this limit fallocate fails too, but with an error that does not name the limit. (The kernel also sends
	// SIGXFSZ, which Go ignores.)
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err == nil && limit.Cur < uint64(size) {
		return nil, nil, fmt.Errorf("a file may have %d bytes, the page needs %d: %w; raise the limit: ulimit -f unlimited", limit.Cur, size, unix.EFBIG)
	}
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, nil, os.NewSyscallError("memfd_create", err)
	}
	f = os.NewFile(uintptr(fd), name)
	if mem, err = allocateAndSeal(f, size, seals); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, mem, nil
}

func allocateAndSeal(f *os.File, size, seals int) ([]byte, error) {
	fd := int(f.Fd())
	err := f.Chmod(0o600) // otherwise any user with a descriptor could reopen it for writing
	if err != nil {
		return nil, err
	}
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Fallocate(fd, 0, 0, int64(size))
	}
	if err != nil {
		return nil, fmt.Errorf("no memory for its %d bytes: %w", size, os.NewSyscallError("fallocate", err))
	}
	mem, err := mapMemory(f, size, true)
	if err != nil {
		return nil, err
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return nil, errors.Join(fmt.Errorf("sealing it: %w; Linux 5.1 or later is needed", err), unmapMemory(mem))
	}
	return mem, nil
}

// checkMemory returns an error if f has another size or lacks one of the seals.
func checkMemory(f *os.File, size, seals int) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if st.Size() != int64(size) {
		return fmt.Errorf("%d bytes, this rig has %d: %w; restart both sides from one build", st.Size(), size, ErrVersion)
	}
	got, err := unix.FcntlInt(f.Fd(), unix.F_GET_SEALS, 0)
	if err != nil || got&seals != seals {
		return fmt.Errorf("not sealed as the memory of a page must be: %w; restart both sides from one build", ErrVersion)
	}
	return nil
}

func mapMemory(f *os.File, size int, write bool) ([]byte, error) {
	prot := unix.PROT_READ
	if write {
		prot |= unix.PROT_WRITE
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, size, prot, unix.MAP_SHARED|unix.MAP_POPULATE)
	return mem, os.NewSyscallError("mmap", err)
}

func unmapMemory(mem []byte) error { return os.NewSyscallError("munmap", unix.Munmap(mem)) }
