import CWhorlGLib
import Testing
import WhorlGLib

struct ObjectTests {
    // An action has a property of each kind that matters here, and signals each change.
    private func withAction(_ body: (UnsafeMutablePointer<GObject>, OpaquePointer) -> Void) {
        guard let action = unsafe g_simple_action_new("test", nil) else {
            Issue.record("no action")
            return
        }
        let object = unsafe UnsafeMutableRawPointer(action).assumingMemoryBound(to: GObject.self)
        unsafe body(object, action)
        unsafe g_object_unref(UnsafeMutableRawPointer(action))
    }

    @Test func callsAHandlerUntilItIsDisconnected() {
        unsafe withAction { object, action in
            var calls = 0
            let id = unsafe SignalHandler.connect(to: object, "notify::enabled") { _ in calls += 1 }
            #expect(id != 0)
            unsafe g_simple_action_set_enabled(action, 0)
            #expect(calls == 1)
            unsafe SignalHandler.disconnect(id, from: object)
            unsafe g_simple_action_set_enabled(action, 1)
            #expect(calls == 1)
        }
    }

    @Test func letsGoOfAHandlerThatIsDisconnectedOrWhoseObjectIsGone() {
        weak var first: Token?
        weak var second: Token?
        unsafe withAction { object, _ in
            let (one, two) = (Token(), Token())
            (first, second) = (one, two)
            let id = unsafe SignalHandler.connect(to: object, "notify::enabled") { _ in one.touch()
            }
            _ = unsafe SignalHandler.connect(to: object, "notify::enabled") { _ in two.touch() }
            unsafe SignalHandler.disconnect(id, from: object)
        }
        #expect(first == nil)
        #expect(second == nil)
    }

    @Test func findsPropertiesThatHoldObjectsAndNoOthers() {
        unsafe withAction { object, _ in
            #expect(unsafe !ObjectProperty.holdsObject("enabled", of: object))
            #expect(unsafe !ObjectProperty.holdsObject("nothing", of: object))
            #expect(unsafe ObjectProperty.object("enabled", of: object) == nil)
            #expect(unsafe ObjectProperty.typeName(of: object) == "GSimpleAction")
        }
    }

    @Test func readsTheObjectThatAPropertyHolds() {
        guard let file = unsafe g_memory_input_stream_new(),
            let filter = unsafe g_buffered_input_stream_new(file)
        else {
            Issue.record("no stream")
            return
        }
        let object = unsafe UnsafeMutableRawPointer(filter).assumingMemoryBound(to: GObject.self)
        #expect(unsafe ObjectProperty.holdsObject("base-stream", of: object))
        let base = unsafe ObjectProperty.object("base-stream", of: object)
        #expect(
            unsafe UnsafeMutableRawPointer(base) == UnsafeMutableRawPointer(file))
        unsafe g_object_unref(base)
        unsafe g_object_unref(filter)
        unsafe g_object_unref(file)
    }

    private final class Token {
        func touch() {}
    }
}
