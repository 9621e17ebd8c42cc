# pins.mk — the module for LTSmin, which is built where it is asked for only, and a small program in place
# of LTSmin that the tests load it into; read by the Makefile. LTSmin is not needed for either.

PINS_O := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard src/pins/*.c)))
HOST_O := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard tests/pins/*.c)))
PINS   := $(if $(filter release,$(MODE)),build/varabs-pins.so,$(OUT)/varabs-pins.so)
HOST   := $(OUT)/pins_host

pins: $(PINS)

# The harness that has the host within itself.
$(OUT)/fuzz_pins $(OUT)/replay_pins: $(PINS_O)
$(OUT)/tests/fuzz/fuzz_pins.o: CPPFLAGS_ALL += -I tests/pins

# What it calls of LTSmin is found when it is loaded.
$(PINS): $(PINS_O) $(LIBRARY)
	$(LINK) -shared -o $@ $^ $(LIBS)

pins-host: $(HOST)
$(HOST_O): CPPFLAGS_ALL += -I tests/pins
$(HOST_O): CFLAGS_ALL += -fvisibility=default
$(HOST): $(HOST_O)
	$(LINK) -rdynamic -o $@ $^ -ldl

-include $(PINS_O:.o=.d) $(HOST_O:.o=.d)
