// Whether this is built with AddressSanitizer: FORGE_ADDRESS_SANITIZER is 1 or 0.
#ifndef FORGE_SUPPORT_SANITIZERS_H
#define FORGE_SUPPORT_SANITIZERS_H

#define FORGE_ADDRESS_SANITIZER 0
#if defined(__SANITIZE_ADDRESS__)
#undef FORGE_ADDRESS_SANITIZER
#define FORGE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef FORGE_ADDRESS_SANITIZER
#define FORGE_ADDRESS_SANITIZER 1
#endif
#endif

#endif // FORGE_SUPPORT_SANITIZERS_H
