package import CWhorlGLib

/// Reads properties of a GObject that may not be there.
///
/// A library's private properties come and go with its versions, so each is looked for before it is
/// read.
package enum ObjectProperty {
    /// Whether an object has a readable property of that name that holds objects.
    ///
    /// The corresponding C function is `g_object_class_find_property`.
    package static func holdsObject(
        _ name: String, of object: UnsafeMutablePointer<GObject>
    ) -> Bool {
        guard
            let type = unsafe object.pointee.g_type_instance.g_class,
            let property = unsafe g_object_class_find_property(
                UnsafeMutableRawPointer(type).assumingMemoryBound(to: GObjectClass.self), name),
            unsafe property.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0,
            let kind = unsafe g_type_name(g_type_fundamental(property.pointee.value_type))
        else { return false }
        return unsafe String(cString: kind) == "GObject"
    }

    /// The object that a property holds, as a new reference for the caller to unref.
    ///
    /// The corresponding C function is `g_object_get_property`.
    ///
    /// - Returns: Nil where the property is empty, or ``holdsObject(_:of:)`` is false.
    package static func object(
        _ name: String, of object: UnsafeMutablePointer<GObject>
    ) -> UnsafeMutablePointer<GObject>? {
        guard unsafe holdsObject(name, of: object) else { return nil }
        var value = GValue()
        unsafe g_object_get_property(object, name, &value)
        defer { unsafe g_value_unset(&value) }
        return unsafe g_value_dup_object(&value)?.assumingMemoryBound(to: GObject.self)
    }

    /// The name of an object's type.
    ///
    /// The corresponding C function is `g_type_name_from_instance`.
    package static func typeName(of object: UnsafeMutablePointer<GObject>) -> String {
        let instance = unsafe UnsafeMutableRawPointer(object)
            .assumingMemoryBound(to: GTypeInstance.self)
        return unsafe g_type_name_from_instance(instance).map { unsafe String(cString: $0) } ?? ""
    }
}
