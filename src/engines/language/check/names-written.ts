import { plain, runOf } from './words.ts'

/** Capitalised where no sentence begins. */
export function namesWritten(text: string): string[] {
  return [...plain(text).matchAll(/(?<=[\p{Ll}\p{N},;:()]["')]?\s)\p{Lu}\p{Ll}+(?:['-]\p{Lu}?\p{Ll}+)*/gu)].flatMap((match) =>
    runOf(match[0].replace(/'s$/, '')),
  )
}
