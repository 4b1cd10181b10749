/**
 * Solves `matrix` x = `right` by Cholesky decomposition. The matrix is symmetric and positive definite, in
 * row-major order; only its lower triangle is read, and overwritten. Throws if it is not positive definite.
 */
export function solveByCholesky(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const at = (row: number, column: number) => matrix[row * size + column] ?? 0;
  for (let row = 0; row < size; row += 1) {
    const rowStart = row * size;
    for (let column = 0; column <= row; column += 1) {
      const columnStart = column * size;
      let sum = at(row, column);
      for (let k = 0; k < column; k += 1) sum -= (matrix[rowStart + k] ?? 0) * (matrix[columnStart + k] ?? 0);
      if (row !== column) {
        matrix[rowStart + column] = sum / at(column, column);
        continue;
      }
      if (!(sum > 0)) throw new Error('The matrix is not positive definite');
      matrix[rowStart + row] = Math.sqrt(sum);
    }
  }
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    let sum = solution[row] ?? 0;
    for (let k = 0; k < row; k += 1) sum -= at(row, k) * (solution[k] ?? 0);
    solution[row] = sum / at(row, row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = solution[row] ?? 0;
    for (let k = row + 1; k < size; k += 1) sum -= at(k, row) * (solution[k] ?? 0);
    solution[row] = sum / at(row, row);
  }
  return solution;
}
