const codes = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'ru',
  'uk',
  'tr',
  'ar',
  'he',
  'zh',
  'ja',
  'ko',
  'hi',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'hu',
  'ro',
  'el',
  'bg',
  'hr',
  'sr',
  'sk',
  'sl',
  'lt',
  'lv',
  'et',
  'fa',
  'ur',
  'vi',
  'th',
  'id',
  'ta',
  'bn',
  'ca',
] as const

/** Whisper reports names such as "english" instead of tags. Unknown names become null. */
export function languageCode(told: string | null): string | null {
  if (told === null) return null
  const plain = told.trim().toLowerCase()
  if (/^[a-z]{2,3}$/.test(plain)) return plain
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  return codes.find((code) => names.of(code)?.toLowerCase() === plain) ?? null
}
