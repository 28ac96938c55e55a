/* SPDX-License-Identifier: MIT */
/* What Python's headers ask of Python's configuration on Windows: those of any system, with the stable interface. */
#define MS_WINDOWS 1
#define MS_WIN64 1
#define HAVE_DECLSPEC_DLL 1
#define HAVE_SSIZE_T 1
#define Py_ENABLE_SHARED 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 2
