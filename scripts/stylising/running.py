# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A pipeline, from its start to its end, to an error, or to a signal.

from gi.repository import GLib, Gst

from stylising import elements, progress, signals
from stylising.failure import Failure, Unreadable


class Running:
    """source, out: the files that are read and written, for messages. said: the warnings
    of all pipelines."""
    said = set()

    def __init__(self, pipeline, source, out=None):
        self.pipeline = pipeline
        self.source = source
        self.out = out
        self.loop = GLib.MainLoop()
        self.failure = None

    def end(self):
        """Ends run(), from any thread, even before its loop runs."""
        GLib.idle_add(self.loop.quit)

    def fail(self, failure):
        """Ends run(), which raises the first failure."""
        self.failure = self.failure or failure
        self.end()

    def run(self):
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self._on_message)
        # An exception would not leave the loop.
        signals.give_to(self.fail)
        try:
            self.pipeline.set_state(Gst.State.PLAYING)
            self.loop.run()
        finally:
            self.pipeline.set_state(Gst.State.NULL)
            bus.remove_signal_watch()
        if not self.failure:
            signals.raise_failure()
        if self.failure:
            raise self.failure

    def _on_message(self, _, message):
        if message.type == Gst.MessageType.ERROR:
            self.fail(self._to_failure(message))
        elif message.type == Gst.MessageType.WARNING:
            self._warn(message)
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()

    def _to_failure(self, message):
        name, (error, debug) = message.src.get_name(), message.parse_error()
        text = describe(error, debug)
        if name == "sink":
            return Failure(f"{self.out}: {text}")
        if name in elements.OURS:
            return Failure(name_options(text))
        is_of_stream = error.domain == GLib.quark_to_string(Gst.StreamError.quark())
        kind = Unreadable if is_of_stream else Failure
        return kind(f"{self.source}: {text}")

    def _warn(self, message):
        """Says once what may be wrong with the file, or with the device."""
        text = describe(*message.parse_warning())
        if message.src.get_name() in elements.OURS:
            text = name_options(text)
        else:
            text = f"{self.source}: {text}"
        if text not in self.said:
            self.said.add(text)
            progress.say(text)


def name_options(text):
    """The elements speak of their properties."""
    return text.replace('the property "device"', "--device")


def describe(error, debug):
    """One line. GStreamer names the cause, if at all, after the place in the source."""
    cause = (debug or "").partition("\n")[2].replace("\n", " ").strip()
    return f"{error.message} ({cause})" if cause else error.message
