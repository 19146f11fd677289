/// <reference types="vite/client" />

/** The year this build was made in. */
declare const __BUILD_YEAR__: number
