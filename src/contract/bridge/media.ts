/** Paths served by the core's media handler, under `app://afterword` or the preview's origin. Paths contain ids only. */
export const recordingPath = (recordingId: string): string => `/media/recordings/${recordingId}`
export const exportPath = (exportId: string): string => `/exports/${exportId}`
