/** Paths under `app://afterword` or the preview's origin. They contain only ids, because addresses must hold nothing clinical. */
export const recordingPath = (recordingId: string): string => `/media/recordings/${recordingId}`
export const exportPath = (exportId: string): string => `/exports/${exportId}`
