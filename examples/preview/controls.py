# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A control for a property of an element. Its range, default and explanation come from the
# element. Its value is text, as in gst-launch-1.0.

import math

from gi.repository import GObject, Gtk

# Where the default is on a slider, unless it is further up: the useful values of a wide
# range, such as those of a radius, are around the default.
PLACE_OF_DEFAULT = 1 / 3
DIGITS = 3
# What the value 0 means where it is no amount.
ZEROS = {"colors": "no limit", "chroma": "auto"}
WIDTH = max(DIGITS + 2, *map(len, ZEROS.values()))


class Control:
    """set(text) gives the text to the element, and returns whether it refuses it; then
    changed() is called. text is the last one that was not refused."""

    def __init__(self, element, name, set, changed):
        self.element = element
        self.spec = element.find_property(name)
        self.set = set
        self.changed = changed
        self.label = Gtk.Label(label=name, xalign=0, tooltip_text=self.spec.blurb)
        self.widget = self._make()
        self.widget.set_tooltip_text(self.spec.blurb)
        self.widget.set_hexpand(True)
        self.text = self.default = self._read()

    def set_sensitive(self, is_sensitive):
        self.label.set_sensitive(is_sensitive)
        self.widget.set_sensitive(is_sensitive)

    def has_effect(self):
        return self.widget.get_sensitive() and self.text != self.default

    def _offer(self, *_):
        text = self._read()
        is_refused = self.set(text)
        if not is_refused:
            self.text = text
        self.changed()
        return is_refused


class Number(Control):
    """A power of the place on the slider, both from 0 to 1, is the share of the range."""

    def _make(self):
        self.low = self.spec.minimum
        self.width = self.spec.maximum - self.low
        self.is_whole = isinstance(self.spec.default_value, int)
        share = (self.spec.default_value - self.low) / self.width
        self.power = max(math.log(share, PLACE_OF_DEFAULT), 1) if share else 1
        self.slider = Gtk.Scale.new_with_range(
            Gtk.Orientation.HORIZONTAL, 0, 1, 1 / self.width if self.is_whole else 0.01)
        # Places are not rounded: their steps are not those of the value.
        self.slider.set_round_digits(-1)
        self.slider.set_hexpand(True)
        self.slider.set_value(share ** (1 / self.power))
        self.slider.connect("value-changed", self._offer)
        self.number = Gtk.Label(label=self._describe(), width_chars=WIDTH, xalign=1)
        box = Gtk.Box()
        box.append(self.slider)
        box.append(self.number)
        return box

    def _read(self):
        value = self.low + self.width * self.slider.get_value() ** self.power
        return str(round(value)) if self.is_whole else f"{value:.{DIGITS}g}"

    def _describe(self):
        text = self._read()
        return ZEROS.get(self.spec.name, text) if text == "0" else text

    def _offer(self, *_):
        super()._offer()
        self.number.set_text(self._describe())


class Choice(Control):
    def _make(self):
        # What enum_class and default_value are depends on the version of PyGObject.
        values = type(self.element.get_property(self.spec.name)).__enum_values__
        self.nicks = [value.value_nick for value in values.values()]
        chooser = Gtk.DropDown.new_from_strings(self.nicks)
        chooser.set_selected(list(values).index(int(self.spec.default_value)))
        chooser.connect("notify::selected", self._offer)
        return chooser

    def _read(self):
        return self.nicks[self.widget.get_selected()]


class Text(Control):
    """The key Enter offers the text."""

    def _make(self):
        entry = Gtk.Entry(text=self.spec.default_value or "")
        entry.connect("activate", self._offer)
        return entry

    def enter(self, text):
        self.widget.set_text(text)
        self._offer()

    def _read(self):
        return self.widget.get_text()

    def _offer(self, *_):
        is_refused = super()._offer()
        if is_refused:
            self.widget.add_css_class("error")
        else:
            self.widget.remove_css_class("error")


def make(element, name, set, changed):
    value_type = element.find_property(name).value_type
    if value_type.is_a(GObject.TYPE_ENUM):
        kind = Choice
    else:
        kind = Text if value_type == GObject.TYPE_STRING else Number
    return kind(element, name, set, changed)
