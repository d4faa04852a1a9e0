package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"rig.example/rig/sim"
)

// PackCar returns the texts of which LoadCar makes a car, so that Unpack makes it without reading a file. Of a
// built-in car they are its name, and the texts of the files that the arguments name.
func PackCar(name string, set ...string) (*CarFiles, error) {
	f := &CarFiles{Name: name, Refs: map[string]string{}}
	if _, _, ok := readBuiltinCar(name); !ok {
		var err error
		if _, f, err = LoadCarFiles(name); err != nil {
			return nil, err
		}
		if f == nil {
			_, err = namedCar(name)
			return nil, err
		}
	}
	return f, f.Pack(set...)
}

// Pack adds the texts of the files that arguments name. It returns an error if they and the car make none.
func (f *CarFiles) Pack(set ...string) error {
	_, err := f.pack(set)
	return err
}

// PackFiles is Pack for arguments that may make a car only together with others: it returns an error only if a file
// cannot be read.
func (f *CarFiles) PackFiles(set ...string) error {
	if unread, err := f.pack(set); unread {
		return err
	}
	return nil
}

// pack adds the texts of the files that arguments name and reports whether one of them cannot be read.
func (f *CarFiles) pack(set []string) (unread bool, err error) {
	_, err = f.load(set, func(name, file string) ([]byte, string, error) {
		if name != argumentsName {
			return f.packed(name, file)
		}
		text, path, err := readBeside(name, file)
		if err == nil {
			f.Refs[packedKey(name, file)] = string(text)
		}
		unread = unread || err != nil
		return text, path, err
	})
	return unread, err
}

// Unpack returns the car, changed by KEY=VALUE arguments. It reads no file.
func (f *CarFiles) Unpack(set ...string) (sim.Params, error) { return f.load(set, f.packed) }

// load returns the car, changed by arguments.
func (f *CarFiles) load(set []string, read fileReader) (p sim.Params, err error) {
	data, file, isBuiltin := readBuiltinCar(f.Name)
	if isBuiltin && f.Text == "" {
		p, err = decodeCar(file, data, readBuiltinFile)
	} else {
		p, err = decodeCar(f.Name, []byte(f.Text), read)
	}
	if err == nil {
		err = applyArguments(&p, set, read)
	}
	if err != nil {
		return sim.Params{}, err
	}
	return p, nil
}

// packed is the fileReader of the texts.
func (f *CarFiles) packed(name, file string) ([]byte, string, error) {
	text, ok := f.Refs[packedKey(name, file)]
	if !ok {
		return nil, file, fmt.Errorf("%s: not among the car's files", file)
	}
	return []byte(text), file, nil
}

// packedKey returns the key in Refs of a file that the file called name, or an argument, names.
func packedKey(name, file string) string {
	if name == argumentsName {
		return argumentsName + " " + file
	}
	return file
}

// CheckCarKey returns an error if a car's file has no such key, such as front.spring_rate_n_per_m.
func CheckCarKey(key string) error {
	car := reflect.TypeFor[sim.Params]()
	parts, table := strings.Split(key, "."), car
	for _, part := range parts {
		if table = tableType(table); table == nil {
			return fmt.Errorf("unknown key %q", key)
		}
		t, ok := lookUpKey(table, part)
		if !ok {
			return errors.New(unknownKeyText(parts, car))
		}
		table = t.Type
	}
	return nil
}
