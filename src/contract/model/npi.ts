/** ISO/IEC 7812 digits that stand before an NPI where its check digit is counted (45 CFR 162.406). */
const issuer = '80840'

/** Ten digits, the last of them the Luhn check digit over all before it with the issuer in front. */
export function isNpi(text: string): boolean {
  return /^[12]\d{9}$/.test(text) && luhnSum(issuer + text) % 10 === 0
}

/** Every second digit from the right counts double, and of a double its digits. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
}
