/*
 * For the test of the wheel for Windows: takes the place of python3.dll, with as much as the compiled part needs to be
 * loaded. What it would hand to cffi is kept for load_binding.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <string.h>

#define EXPORT __declspec(dllexport)

/* Enough like an object of Python's that references to it can be counted. */
typedef struct object {
    long long references;
    void *type;
} object;

EXPORT object _Py_NoneStruct = {1000, NULL};
static void *handed[4];
static void **given;

/* What cffi would be told: name of the module, version, exports, context. */
EXPORT void **what_was_handed(void) {
    return handed;
}

EXPORT void *PyImport_ImportModule(const char *name) {
    return strcmp(name, "_cffi_backend") == 0 ? &_Py_NoneStruct : NULL;
}

EXPORT void *PyLong_FromVoidPtr(void *pointer) {
    given = pointer;
    return &_Py_NoneStruct;
}

EXPORT void *PyObject_CallMethod(void *self, const char *name, const char *format, ...) {
    (void)self;
    (void)format;
    if (strcmp(name, "_init_cffi_1_0_external_module") == 0) {
        memcpy(handed, given, sizeof handed);
    }
    return &_Py_NoneStruct;
}

/* What is not called while it is loaded. */
#define NOT_CALLED(name)                                                                                               \
    EXPORT void *name(void) {                                                                                          \
        return NULL;                                                                                                   \
    }
NOT_CALLED(PyArg_UnpackTuple)
NOT_CALLED(PyErr_Occurred)
NOT_CALLED(PyEval_RestoreThread)
NOT_CALLED(PyEval_SaveThread)
NOT_CALLED(PyFloat_AsDouble)
NOT_CALLED(PyFloat_FromDouble)
NOT_CALLED(PyLong_FromLong)
NOT_CALLED(PyLong_FromUnsignedLong)
NOT_CALLED(PyLong_FromUnsignedLongLong)
NOT_CALLED(PyObject_Free)
NOT_CALLED(PyObject_Malloc)
NOT_CALLED(_Py_Dealloc)
