import type { LostPart, RecoveryReport } from '#contract/bridge/recovery.ts'
import { messages } from './messages.ts'

const { report, lost } = messages
const partly: Readonly<Partial<Record<LostPart['kind'], string>>> = lost.partly

export const { recovery: recoveryWords, damaged: damagedWords } = messages

export const reportWords = {
  ...report,
  happened: ({ file, cause }: Pick<RecoveryReport, 'file' | 'cause'>): string =>
    report.happened({ file: report.files[file], cause: (file === 'keys' ? report.keyCauses : report.causes)[cause] }),
  parts: (unreadable: number, total: number): string => report.parts({ isAll: unreadable === total, unreadable, total }),
  line(
    { kind, is_partial, is_signed }: Pick<RecoveryReport['items'][number], 'kind' | 'is_partial' | 'is_signed'>,
    count: number,
  ): string {
    if (!is_partial) return report.lines[is_signed ? 'signedNote' : kind]({ count })
    return report.partial({ isSigned: is_signed, line: report.lines[kind]({ count: is_signed ? 1 : count }) })
  },
}

export const lostWords = {
  ...lost,
  line({ kind, count, is_partial, is_signed }: LostPart): string {
    if (kind === 'addendum') return lost.addendum({ count })
    if (is_partial && is_signed) return lost.signature
    return (is_partial ? partly[kind] : undefined) ?? lost.line({ kind, isSigned: is_signed })
  },
}
